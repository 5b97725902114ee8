import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The files with attributes of an isolated engine's states and of their backups. */
export function attributeFiles(folder: string): string[] {
  const stacks = join(folder, ".engine", "state", ".pulumi", "stacks");
  return readdirSync(stacks, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".attrs"))
    .map((name) => join(stacks, name));
}

/**
 * The engine puts a state in place whole, but writes the file with its attributes on the
 * spot, which a kill can leave empty. The engine needs no such file: it is deleted, as
 * docs/troubleshooting.md says.
 */
export function deleteCutAttributes(folder: string): void {
  for (const file of attributeFiles(folder))
    if (readFileSync(file, "utf8") === "") rmSync(file);
}
