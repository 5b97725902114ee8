import { statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { reportError } from "../output/report-error";

/**
 * Changes within this time count as one change, because an editor often writes and
 * renames.
 */
const TOGETHER_MS = 50;

/**
 * Calls a function once, and again after each change of a file, until the process ends.
 * Calls do not overlap. The folder is watched, because editors replace a file by a new
 * one.
 */
export async function watchFiles(
  paths: readonly string[],
  act: () => unknown,
): Promise<never> {
  let isChanged = true;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isChanged = true;
      wake();
    }, TOGETHER_MS);
  };
  for (const path of paths) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    watch(isFolder ? path : dirname(path), { recursive: isFolder }, changed);
  }
  for (;;) {
    while (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
    isChanged = false;
    try {
      await act();
    } catch (error) {
      // A file that is being written may be missing; the next change brings it back.
      reportError(error);
    }
    process.stderr.write("devid: waiting for changes; Ctrl-C ends.\n");
  }
}
