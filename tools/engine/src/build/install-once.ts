import { access } from "node:fs/promises";
import { withBuildLock } from "./build-lock.js";
import { installIntoCache } from "./install-into-cache.js";
import { interruptible } from "./interruptible.js";
import { withProgress, type ProgressOptions } from "./progress.js";

/** Something to install into a folder of the cache once. */
export interface Installation extends Pick<
  ProgressOptions,
  "doing" | "usually" | "report"
> {
  folder: string;
  /** Path of the lock of all installations beside it. */
  lock: string;
  /** Fills an empty folder; the signal aborts when somebody ends the process. */
  fill: (folder: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Installs something into a folder of the cache if it is missing. The folder is complete
 * or absent.
 *
 * @returns the folder.
 */
export async function installOnce({
  folder,
  lock,
  fill,
  ...progress
}: Installation): Promise<string> {
  const isThere = () =>
    access(folder).then(
      () => true,
      () => false,
    );
  if (await isThere()) return folder;
  return interruptible((signal) =>
    withBuildLock(lock, { report: progress.report, signal }, async () => {
      if (!(await isThere()))
        await withProgress(progress, () =>
          installIntoCache(folder, (partial) => fill(partial, signal)),
        );
      return folder;
    }),
  );
}
