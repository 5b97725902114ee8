import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { inject } from "vitest";
import { PUBLISHED } from "./published";

const run = promisify(execFile);
const ROOT = resolve(__dirname, "../..");

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
   * Does what `npm install` does in the folder of an exported program, with our
   * packed packages. All exported programs have the same dependencies, so they
   * are installed once in a run, and each program gets a link to them.
   */
  async install(program: string): Promise<void> {
    const installed = await onceInThisRun("installed", async (folder) => {
      const manifest = join(folder, "package.json");
      copyFileSync(join(program, "package.json"), manifest);
      this.#serve(manifest);
      const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit"];
      await run("npm", ["install", ...flags], { cwd: folder });
    });
    symlinkSync(join(installed, "node_modules"), join(program, "node_modules"));
  }

  /**
   * Makes npm take our packages from the tarballs; all others come from the
   * registry or npm's cache.
   */
  #serve(path: string): void {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const { folder, name } of PUBLISHED)
      manifest.dependencies[name] = `file:${this.tarball(folder)}`;
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}

/**
 * Runs work in a folder of the run. Only the first test file that asks does the
 * work; the others wait for it. Returns the folder.
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
