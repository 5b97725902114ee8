import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { PUBLISHED } from "./published";

const run = promisify(execFile);

const TESTS = resolve(__dirname, "..");

/** The packages that Node programs load: all but the command line. */
const LOADED = PUBLISHED.filter(({ manifest: { exports } }) => exports);

/**
 * Code that is measured together with loading an entry: the first thing that a program
 * does with it.
 */
const USES: Readonly<Record<string, string>> = {
  "@devid/pulumi": `require("@devid/pulumi").Webhook`,
  "@devid/pulumi/provider": `await require("@devid/pulumi/provider").Webhook.check({}, {})`,
};

/**
 * The policy pack communicates with the engine that starts it, so only an engine can
 * load it.
 */
const ONLY_IN_AN_ENGINE = "@devid/policy";

/** A name that a program can `require`. */
export interface PublicEntry {
  readonly name: string;
  /** Whether Pulumi is loaded first, as in every program that uses the entry. */
  readonly isForPulumi: boolean;
  /** Code that loads the entry. */
  readonly code: string;
}

/** Every public entry of our packages, as their `exports` name them. */
export const PUBLIC_ENTRIES: readonly PublicEntry[] = LOADED.flatMap(
  ({ name: packageName, manifest: { exports, peerDependencies } }) =>
    Object.keys(exports ?? {})
      .map((subpath) => `${packageName}${subpath.slice(1)}`)
      .filter((name) => name !== ONLY_IN_AN_ENGINE)
      .map((name) => ({
        name,
        isForPulumi: Object.hasOwn(peerDependencies ?? {}, "@pulumi/pulumi"),
        code: USES[name] ?? `require("${name}")`,
      })),
);

/** The files and the packages that a fresh process loads. */
export interface Load {
  readonly files: number;
  /** Names of the third-party packages of these files. */
  readonly packages: readonly string[];
  readonly ms: number;
  readonly megabytes: number;
}

/** Loads an entry in a process of its own, from the built packages. */
export async function loadOf({
  isForPulumi,
  code,
}: PublicEntry): Promise<Load> {
  const script = `
    ${isForPulumi ? `require("@pulumi/pulumi");` : ""}
    const before = new Set(Object.keys(require.cache));
    const bytesBefore = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    (async () => {
      ${code};
      const ms = performance.now() - startedAt;
      const loaded = Object.keys(require.cache).filter((file) => !before.has(file));
      const files = loaded.length;
      const packages = [
        ...new Set(
          loaded.flatMap((file) => /.*node_modules.((?:@[^/\\\\]+.)?[^/\\\\]+)/.exec(file)?.[1] ?? []),
        ),
      ].sort();
      const megabytes = (process.memoryUsage().heapUsed - bytesBefore) / 1e6;
      console.log(JSON.stringify({ files, packages, ms, megabytes }));
    })();`;
  const { stdout } = await run(process.execPath, ["-e", script], {
    cwd: TESTS,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return JSON.parse(stdout) as Load;
}
