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

/** What is installed into the cache, once. */
export interface Installation {
  /** Its name with its version, which is that of its folder. */
  readonly name: string;
  /** How long that takes: `half a minute`. */
  readonly usually: string;
  /** Fills an empty folder. */
  readonly fill: (folder: string, run: Run) => Promise<void>;
}

/** Runs a command in a folder. @throws Error with the end of what the command said */
export type Run = (
  folder: string,
  command: string,
  ...args: readonly string[]
) => Promise<void>;

const report = (line: string) => {
  process.stderr.write(`warehouse: ${line}\n`);
};

/**
 * Installs something into the cache of the user, if it is not there, and returns its
 * folder, which is whole or absent.
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
