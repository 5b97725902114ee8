import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder where an isolated engine keeps its stacks. */
export const stacksIn = (folder: string): string =>
  join(folder, ".engine", "state", ".pulumi", "stacks");

/** The state files of an isolated engine, without their backups. */
export const stateFiles = (folder: string): string[] =>
  readdirSync(stacksIn(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(stacksIn(folder), name));

/**
 * A kill while the engine writes the state leaves a half or empty file. The state before it
 * takes its place, as docs/troubleshooting.md says.
 */
export function restoreCutState(folder: string): void {
  for (const file of stateFiles(folder))
    if (!isJson(readFileSync(file, "utf8"))) copyFileSync(`${file}.bak`, file);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
