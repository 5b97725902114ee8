import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder of this run, for what its files share. */
    readonly runFolder: string;
  }
}

/** What Vitest gives a global set-up. */
interface Project {
  provide(name: "runFolder", folder: string): void;
}

/** Makes a folder that the test files of one run share, and removes it behind them. */
export default function runFolder(project: Project): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-run-"));
  project.provide("runFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
