// Copies into each package the pages that its declarations name, so that the
// documentation that an editor shows leads to a file: `docs/contract.md` is
// `node_modules/@devid/sdk/docs/contract.md`.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The workspaces that are published. */
export const PACKAGES = [
  "sdk",
  "rules",
  "warehouse",
  "agent",
  "provider",
  "service",
  "cli",
  "policy",
];

/** The pages of docs that the declarations of a package name. */
export function pagesNamedIn(workspace) {
  const dist = join(ROOT, workspace, "dist");
  const named = new Set();
  for (const file of readdirSync(dist, { recursive: true }))
    if (file.endsWith(".d.ts"))
      for (const [page] of readFileSync(join(dist, file), "utf8").matchAll(
        /docs\/[\w/-]+\.md/g,
      ))
        if (existsSync(join(ROOT, page))) named.add(page);
  return [...named].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const workspace of PACKAGES) {
    rmSync(join(ROOT, workspace, "docs"), { recursive: true, force: true });
    for (const page of pagesNamedIn(workspace)) {
      const copy = join(ROOT, workspace, page);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(ROOT, page), copy);
    }
  }
