import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files that the pages load, and their types. */
export const ASSETS = {
  "console.css": "text/css; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
  "playground.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

/** Name of such a file. */
export type Asset = keyof typeof ASSETS;

/** Reads one. They stand beside the compiled code, as browsers read them. */
export function readAsset(name: Asset): Promise<Buffer> {
  return readFile(join(__dirname, "../../assets", name));
}
