import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type Engine,
  engineEnvironment,
  prepareEngineHome,
} from "@devid/engine";

const nodeModules = path.resolve(__dirname, "../../../node_modules");

/** How a run of the engine ended. */
export interface PulumiResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A Pulumi project in a temporary folder, with an engine of its own home and state. */
export interface PulumiProject {
  folder: string;
  /** Writes a file, given relative to the project. */
  write(file: string, content: string): Promise<void>;
  /** Runs `pulumi`; never throws because of its exit code. */
  pulumi(args: string[], more?: { timeoutMs?: number }): Promise<PulumiResult>;
  remove(): Promise<void>;
}

/**
 * Makes a project whose programs find the packages of this repository. To check
 * the types of a program takes seconds in each run, so it is left out by default.
 */
export async function createPulumiProject(
  engine: Engine,
  { checksTypes = false } = {},
): Promise<PulumiProject> {
  // The blank is there on purpose: paths with one have to work everywhere.
  const root = await mkdtemp(path.join(tmpdir(), "devid engine-"));
  const folder = path.join(root, "project");
  await mkdir(folder);
  await symlink(nodeModules, path.join(folder, "node_modules"), "junction");
  const home = await prepareEngineHome(path.join(root, "engine"));
  const env = {
    ...process.env,
    ...engineEnvironment({ ...home, enginePath: engine.path }),
    PULUMI_NODEJS_TRANSPILE_ONLY: String(!checksTypes),
  };
  return {
    folder,
    async write(file, content) {
      const target = path.join(folder, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
    },
    pulumi: (args, { timeoutMs = 120_000 } = {}) =>
      new Promise((resolve) => {
        execFile(
          engine.path,
          [...args, "--non-interactive"],
          { cwd: folder, env, timeout: timeoutMs },
          (error, stdout, stderr) => {
            const exitCode = error ? Number(error.code ?? -1) : 0;
            resolve({ exitCode, stdout, stderr });
          },
        );
      }),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
