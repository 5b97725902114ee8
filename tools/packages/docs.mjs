// Copies the licence into each package, and the pages that its README and its
// declarations name. So a page that an editor shows, such as `docs/contract.md`, exists
// as `node_modules/@devid/sdk/docs/contract.md`.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGES, REPOSITORY, ROOT } from "./packages.mjs";

const LINK = /(\]\()([^)\s]+)/g;

/** The paths of the docs pages that the README and the declarations of a package name. */
export function pagesNamedIn(folder) {
  const named = new Set();
  const add = (page) => existsSync(join(ROOT, page)) && named.add(page);
  const dist = join(ROOT, folder, "dist");
  for (const file of readdirSync(dist, { recursive: true }))
    if (/\.d\.m?ts$/.test(file))
      for (const [page] of readFileSync(join(dist, file), "utf8").matchAll(
        /docs\/[\w/-]+\.md/g,
      ))
        add(page);
  const readme = readFileSync(join(ROOT, folder, "README.md"), "utf8");
  for (const [, page] of readme.matchAll(/\]\(\.\.\/(docs\/[\w/-]+\.md)/g))
    add(page);
  return [...named].sort();
}

/**
 * The text of a page of the repository for a package. A link to a page of the same
 * package stays a relative link. Every other link leads to the repository. `path` is
 * the path of the page in the repository.
 */
export function packedText({ folder, path, text, pages }) {
  /**
   * The path in the package of a file of the repository; undefined if the package does
   * not have it.
   */
  const inPackage = (file) =>
    pages.includes(file)
      ? file
      : file.startsWith(`${folder}/`)
        ? file.slice(folder.length + 1)
        : undefined;
  return text.replaceAll(LINK, (whole, before, link) => {
    if (/^[a-z]+:|^#/.test(link)) return whole;
    const [relative, ...anchor] = link.split(/(?=#)/);
    const file = posix.join(posix.dirname(path), relative);
    const packed = inPackage(file);
    const target =
      packed === undefined
        ? `${REPOSITORY}/blob/HEAD/${file}`
        : posix.relative(posix.dirname(inPackage(path)), packed);
    return before + target + anchor.join("");
  });
}

/** The README of a package with the links that work in the package. */
export function packedReadme(folder) {
  const path = `${folder}/README.md`;
  const text = readFileSync(join(ROOT, path), "utf8");
  return packedText({ folder, path, text, pages: pagesNamedIn(folder) });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { folder } of PACKAGES) {
    const at = (path) => join(ROOT, folder, path);
    copyFileSync(join(ROOT, "LICENSE"), at("LICENSE"));
    rmSync(at("docs"), { recursive: true, force: true });
    const pages = pagesNamedIn(folder);
    for (const path of pages) {
      const text = readFileSync(join(ROOT, path), "utf8");
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), packedText({ folder, path, text, pages }));
    }
  }
