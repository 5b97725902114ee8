import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const OUTPUTS = new Set(["dist", "node_modules"]);

/**
 * Whether a build is newer than everything that it read. The stamp has the time at which
 * the build began, because it may have read a file before somebody changed that file.
 *
 * A change of a source folder counts, because a file may have left it. The folders of
 * `tools` do not count: a build itself writes there.
 */
export function isFresh(stamp, { sources, files }) {
  if (!existsSync(stamp)) return false;
  const begun = Date.parse(readFileSync(stamp, "utf8").trim());
  return (
    sources.every((path) => lastChange(path, true) < begun) &&
    files.every((path) => lastChange(path, false) < begun)
  );
}

/** The time of the last change of a path and of everything below it, in ms. */
function lastChange(path, foldersCount) {
  // The link that an editor makes to lock a file may lead nowhere.
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const times = readdirSync(path)
    .filter((name) => !OUTPUTS.has(name) && !name.endsWith(".tsbuildinfo"))
    .map((name) => lastChange(join(path, name), foldersCount));
  return Math.max(foldersCount ? stats.mtimeMs : 0, ...times);
}
