import { join } from "node:path";
import { devidCache, installOnce, runCommand } from "@devid/engine";

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
 * Installs something into the user's cache if it is missing, and returns its folder.
 * @throws Error
 */
export function installed({
  name,
  usually,
  fill,
}: Installation): Promise<string> {
  const folder = join(devidCache(process.env), "warehouse-engines");
  return installOnce({
    folder: join(folder, name),
    lock: join(folder, "lock.sqlite"),
    doing: `installing ${name}`,
    ...{ usually, report },
    fill: (place, signal) =>
      fill(place, async (cwd, command, ...args) => {
        const options = { cwd, signal };
        const { exitCode, output } = await runCommand(command, args, options);
        if (exitCode !== 0)
          throw new Error(
            `Installing ${name} failed: ${command} ${args.join(" ")}: ${output}`,
          );
      }),
  });
}
