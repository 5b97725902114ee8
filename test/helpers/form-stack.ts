import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { stringify } from "yaml";
import { EngineStack, PLUGINS, type Declared } from "./engine-stack";
import type { Form } from "./program-form";

/** The resources and providers that a program declares, in either form. */
export interface FormProgram {
  readonly resources: readonly Declared[];
  /** The arguments of explicit providers, by name. */
  readonly providers?: Readonly<Record<string, Record<string, unknown>>>;
}

/**
 * The PATH with which the engine finds the language host for YAML programs, and a shell
 * finds the engine.
 */
export async function yamlHostSettings(): Promise<{ PATH: string }> {
  const engine = await findEngine();
  const folders = [await findLanguageHost("yaml", engine), engine.path];
  return {
    PATH: [...folders.map((path) => dirname(path)), process.env.PATH].join(
      delimiter,
    ),
  };
}

/** A stack of one program in a form: dynamic resources, or YAML over the plugin. */
export class FormStack {
  private constructor(
    private readonly form: Form,
    readonly engine: EngineStack,
  ) {}

  static async open(
    form: Form,
    settings: Record<string, string>,
  ): Promise<FormStack> {
    if (form === "dynamic")
      return new FormStack(form, await EngineStack.open(settings));
    const all = { ...settings, ...(await yamlHostSettings()) };
    const program = { "Pulumi.yaml": yamlProgram({ resources: [] }) };
    return new FormStack(form, await EngineStack.open(all, program));
  }

  /** Sets what the next operation declares. */
  declare(program: FormProgram): void {
    const { resources, providers } = program;
    if (this.form === "dynamic") this.engine.declare(resources, providers);
    else
      writeFileSync(
        join(this.engine.workFolder, "Pulumi.yaml"),
        yamlProgram(program),
      );
  }

  close(): void {
    this.engine.close();
  }
}

/** The program as the file of a YAML program over the plugin. */
function yamlProgram({ resources, providers = {} }: FormProgram): string {
  const ofProviders = Object.entries(providers).map(([name, properties]) => [
    name,
    { type: "pulumi:providers:devid", properties: yamlValue(properties) },
  ]);
  const ofResources = resources.map(({ kind, as, args, provider, opts }) => {
    const options = {
      ...opts,
      ...(provider && { provider: `\${${provider}}` }),
    };
    return [
      as,
      {
        type: `devid:${kind}`,
        properties: yamlValue(args),
        ...(Object.keys(options).length > 0 && { options }),
      },
    ];
  });
  // The same name as the default program of the dynamic form.
  return pluginProject("declared", "yaml", {
    resources: Object.fromEntries([...ofProviders, ...ofResources]) as object,
  });
}

/** The file of a project that uses the plugin in this repository. */
export const pluginProject = (name: string, runtime: unknown, more = {}) =>
  stringify(
    { name, runtime, plugins: PLUGINS, ...more },
    { aliasDuplicateObjects: false },
  );

/**
 * Writes the references and secrets in a value of `Declared` in the form of YAML
 * programs.
 */
function yamlValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(yamlValue);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, yamlValue(part)]),
    );
  if (typeof value !== "string") return value;
  const [, name, output] = /^\$(\w+)\.(\w+)$/.exec(value) ?? [];
  if (name !== undefined) return `\${${name}.${output}}`;
  return value.startsWith("secret:")
    ? { "fn::secret": value.slice("secret:".length) }
    : value;
}
