// Keeps the install lines of the pages true. Until the packages are published, each
// block with an install line is followed by a sentence about installing from a clone.
// To remove these sentences, set `"devid": { "published": true }` in the package.json
// of the root, and run `npm run gen`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./packages.mjs";

const HOW = "docs/getting-started.md";
const ANCHOR = "#install-from-a-clone";

/** A block that installs one of our packages, with the sentence behind it, if there is one. */
const BLOCK =
  /(^```sh\n(?:(?!^```)[^\n]*\n)*?npm install [^\n]*@devid\/[^]*?^```\n)(\nUntil the packages are published: \[install from a clone\]\([^)]*\)\.\n)?/gm;

/** The text of a page with the sentences that it needs. */
export function withInstallLines(page, text, isPublished) {
  const link = page === HOW ? ANCHOR : relative(dirname(page), HOW) + ANCHOR;
  const sentence = `\nUntil the packages are published: [install from a clone](${link}).\n`;
  return text.replace(
    BLOCK,
    (_, block) => block + (isPublished ? "" : sentence),
  );
}

/** The pages of the repository. */
export const pages = () =>
  execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((page) => page !== "" && !page.startsWith("test/"));

/** Whether the packages are in the registry. */
export const isPublished = () =>
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).devid.published;

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of pages()) {
    const path = join(ROOT, page);
    const text = readFileSync(path, "utf8");
    const wanted = withInstallLines(page, text, isPublished());
    if (wanted !== text) writeFileSync(path, wanted);
  }
