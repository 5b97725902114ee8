import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as prettier from "prettier";
import { generate } from "./generate";

/** The generated files in the project's format, by their path from the root. */
export async function formatted(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [path, text] of generate(root))
    files.set(path, await prettier.format(text, { filepath: path }));
  return files;
}

/** Writes every generated file. */
export async function main(): Promise<void> {
  const root = resolve(__dirname, "../../..");
  for (const [path, text] of await formatted(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
