import type { ProgramInfo } from "@pulumi/pulumi/proto/language_pb";

/** The options under `runtime.options` of a Pulumi.yaml that this host knows. */
export interface RuntimeOptions {
  /** Whether TypeScript is compiled when it is loaded; default true. */
  typescript: boolean;
  /** Path of another tsconfig.json. */
  tsconfig: string | undefined;
  /** Arguments of Node.js itself. */
  nodeArgs: string[];
  /** `npm`, `yarn`, `pnpm` or `bun`. */
  packageManager: string;
}

/** Reads the options of a program, plugin or policy pack. */
export function runtimeOptions(info: ProgramInfo | undefined): RuntimeOptions {
  const given: Record<string, unknown> =
    info?.getOptions()?.toJavaScript() ?? {};
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    typescript: given.typescript !== false,
    tsconfig: text("tsconfig"),
    nodeArgs: text("nodeargs")?.split(/\s+/) ?? [],
    packageManager: text("packagemanager") ?? "npm",
  };
}
