import { access } from "node:fs/promises";
import { join } from "node:path";
import {
  devidCache,
  installIntoCache,
  interruptible,
  runCommand,
  withBuildLock,
  withProgress,
} from "@devid/engine";

/** Something to install into the cache once. */
export interface Installation {
  /** The name with the version. The folder has the same name. */
  readonly name: string;
  /** How long the installation takes: `half a minute`. */
  readonly usually: string;
  /** Fills an empty folder. */
  readonly fill: (folder: string, run: Run) => Promise<void>;
}

/** Runs a command in a folder. @throws Error with the end of the command's output */
export type Run = (
  folder: string,
  command: string,
  ...args: readonly string[]
) => Promise<void>;

const report = (line: string) => {
  process.stderr.write(`warehouse: ${line}\n`);
};

/**
 * Installs something into the user's cache if it is missing, and returns its folder. A
 * folder is complete or absent.
 * @throws Error
 */
export async function installOnce({
  name,
  usually,
  fill,
}: Installation): Promise<string> {
  const installed = join(devidCache(process.env), "warehouse-engines");
  const folder = join(installed, name);
  const isThere = () =>
    access(folder).then(
      () => true,
      () => false,
    );
  if (await isThere()) return folder;
  return interruptible((signal) =>
    withBuildLock(
      join(installed, "lock.sqlite"),
      { report, signal },
      async () => {
        if (await isThere()) return folder;
        const run: Run = async (cwd, command, ...args) => {
          const { exitCode, output } = await runCommand(command, args, {
            cwd,
            signal,
          });
          if (exitCode === 0) return;
          throw new Error(
            `Installing ${name} failed: ${command} ${args.join(" ")}: ${output}`,
          );
        };
        await withProgress(
          { doing: `installing ${name}`, usually, report },
          () => installIntoCache(folder, (partial) => fill(partial, run)),
        );
        return folder;
      },
    ),
  );
}
