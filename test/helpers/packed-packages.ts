import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { satisfies } from "semver";
import { inject } from "vitest";
import { PUBLISHED } from "./published";
import { ROOT } from "./repository";

const run = promisify(execFile);

/**
 * Our packages as the registry would hold them, and the installed dependencies
 * of an exported program. The first test file of a run packs and installs them.
 * The others wait for it and share the result, which is removed after the run.
 */
export class PackedPackages {
  private constructor(private readonly files: ReadonlyMap<string, string>) {}

  static async ofThisRun(): Promise<PackedPackages> {
    const folder = await onceInThisRun("packages", async (folder) => {
      const args = ["pack", "--json", "--ignore-scripts"];
      const { stdout } = await run(
        "npm",
        [
          ...args,
          ...PUBLISHED.flatMap(({ folder: workspace }) => ["-w", workspace]),
          ...["--pack-destination", folder],
        ],
        { cwd: ROOT, maxBuffer: 1 << 28 },
      );
      const packed = JSON.parse(stdout) as { name: string; filename: string }[];
      const files = PUBLISHED.map(({ folder: workspace, name }) => {
        const own = packed.find((one) => one.name === name);
        if (!own) throw new Error(`npm packed nothing of ${workspace}.`);
        return [workspace, join(folder, own.filename)] as const;
      });
      writeFileSync(join(folder, "files.json"), JSON.stringify(files));
    });
    const text = readFileSync(join(folder, "files.json"), "utf8");
    return new PackedPackages(new Map(JSON.parse(text) as [string, string][]));
  }

  /** Path of the tarball of a workspace: `provider`. */
  tarball(workspace: string): string {
    const file = this.files.get(workspace);
    if (file === undefined) throw new Error(`${workspace} is not published.`);
    return file;
  }

  /**
   * Does what `npm install` does in the folder of an exported program, without a
   * registry: unpacks our packages, and links what they and the program depend on to
   * the packages of this repository. A package that is not declared is not found. All
   * exported programs have the same dependencies, so the work is done once in a run,
   * and each program gets a link to the result. A program with other dependencies gives
   * its own name, and the folder in the repository where they are installed.
   */
  async install(
    program: string,
    { name = "installed", place = ROOT } = {},
  ): Promise<void> {
    const installed = await onceInThisRun(name, async (folder) => {
      const modules = join(folder, "node_modules");
      const unpacked = await Promise.all(
        PUBLISHED.map(async ({ folder: workspace, name }) => {
          const to = join(modules, name);
          mkdirSync(to, { recursive: true });
          const file = this.tarball(workspace);
          await run("tar", ["-xzf", file, "-C", to, "--strip-components=1"]);
          linkCommands(to, modules);
          return [to, join(ROOT, workspace)] as const;
        }),
      );
      for (const [dependent, from] of [[program, place] as const, ...unpacked])
        for (const [one, range] of dependenciesOf(dependent))
          link(one, range, from, modules);
    });
    symlinkSync(join(installed, "node_modules"), join(program, "node_modules"));
  }
}

/** The dependencies of the package in a folder, with their version ranges. */
function dependenciesOf(folder: string): [name: string, range: string][] {
  const { dependencies, devDependencies, peerDependencies } =
    manifestOf(folder);
  return Object.entries({
    ...peerDependencies,
    // An installed package has no development dependencies.
    ...(folder.includes("node_modules") ? {} : devDependencies),
    ...dependencies,
  });
}

/** Links an installed package of the repository, unless it is one of our own packages. */
function link(name: string, range: string, place: string, modules: string) {
  const to = join(modules, name);
  if (existsSync(to)) return;
  const from = [place, ROOT]
    .map((folder) => join(folder, "node_modules", name))
    .find(existsSync);
  if (!from) throw new Error(`${name} is not installed in the repository.`);
  const { version = "" } = manifestOf(from);
  if (!satisfies(version, range))
    throw new Error(`${name} ${range} is needed; installed is ${version}.`);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to);
  linkCommands(to, modules);
}

/** Links the commands of an installed package in `.bin`. */
function linkCommands(folder: string, modules: string): void {
  const { name = "", bin = {} } = manifestOf(folder);
  const commands = typeof bin === "string" ? { [basename(name)]: bin } : bin;
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const [command, path] of Object.entries(commands)) {
    chmodSync(join(folder, path), 0o755);
    symlinkSync(join(folder, path), join(modules, ".bin", command));
  }
}

interface Manifest {
  readonly name?: string;
  readonly bin?: string | Record<string, string>;
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  return JSON.parse(text) as Manifest;
}

/**
 * Runs work in a folder of the run. Only the first test file that calls this does the
 * work; the other test files wait. Returns the folder.
 */
async function onceInThisRun(
  name: string,
  work: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(inject("runFolder"), name);
  const [done, failed] = [join(folder, ".done"), join(folder, ".failed")];
  if (isFirst(folder))
    try {
      await work(folder);
      writeFileSync(done, "");
    } catch (error) {
      writeFileSync(failed, String(error));
      throw error;
    }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"));
    await sleep(200);
  }
  return folder;
}

/** Whether this process creates the folder; only one process can. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
