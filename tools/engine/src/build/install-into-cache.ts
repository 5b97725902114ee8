import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";

const PARTIAL = ".partial-";

/**
 * Fills a folder of the cache completely or not at all.
 *
 * The work fills a temporary folder next to `target`, which is renamed when it
 * is complete. A killed process leaves only a temporary folder, which the next
 * installation removes. Callers must hold the build lock.
 */
export async function installIntoCache(
  target: string,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const parent = path.dirname(target);
  const prefix = `${path.basename(target)}${PARTIAL}`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await removeFolder(path.join(parent, name));
  }
  const folder = await mkdtemp(path.join(parent, prefix));
  try {
    await fill(folder);
    await removeFolder(target);
    await rename(folder, target);
  } finally {
    await removeFolder(folder);
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
