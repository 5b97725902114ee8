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

/** The result of a run of the engine. */
export interface PulumiResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A Pulumi project in a temporary folder. Its engine has its own home and state. */
export interface PulumiProject {
  folder: string;
  /** Writes a file, given relative to the project. */
  write(file: string, content: string): Promise<void>;
  /** Runs `pulumi`; never throws because of its exit code. */
  pulumi(args: string[], more?: { timeoutMs?: number }): Promise<PulumiResult>;
  remove(): Promise<void>;
}

/**
 * Creates a project whose programs find the packages of this repository. By default no types are
 * checked, because a check takes seconds in each run.
 */
export async function createPulumiProject(
  engine: Engine,
  { checksTypes = false } = {},
): Promise<PulumiProject> {
  // The path has a space on purpose, because paths with spaces must work everywhere.
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
