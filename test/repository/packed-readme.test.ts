import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../helpers/repository";
import { folderForEachTest } from "../helpers/test-folder";

let restoreReadme: (readme: string, kept: string) => void;
beforeAll(async () => {
  const file = join(ROOT, "tools/packages/postpack.mjs");
  ({ restoreReadme } = (await import(pathToFileURL(file).href)) as {
    restoreReadme: typeof restoreReadme;
  });
});
let folder: string;
folderForEachTest((path) => (folder = path));

it.each([
  ["is put back", "packed", "original"],
  ["that somebody has put back and edited stays", "edited", "edited"],
])(
  "after an interrupted pack, the README of the repository %s",
  (_, now, then) => {
    const [readme, kept] = [join(folder, "README.md"), join(folder, "kept")];
    writeFileSync(
      kept,
      JSON.stringify({ original: "original", packed: "packed" }),
    );
    writeFileSync(readme, now);
    for (let time = 0; time < 2; time++) restoreReadme(readme, kept);
    expect(readFileSync(readme, "utf8")).toBe(then);
    expect(existsSync(kept)).toBe(false);
  },
);
