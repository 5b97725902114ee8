import { statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { reportError } from "../output/report-error";

/** Changes that come together, as an editor's write and rename do, are one. */
const TOGETHER_MS = 50;

/**
 * Does something once, and again whenever a file changes, one after the other, until
 * the process is ended. A file's folder is watched, because editors put a new file in
 * the place of the old one.
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
