import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder of this run, which its test files share. */
    readonly runFolder: string;
  }
}

/** The part of the argument of a Vitest global set-up that we use. */
interface Project {
  provide(name: "runFolder", folder: string): void;
}

/**
 * Creates a folder that the test files of one run share, and removes it after
 * the run.
 */
export default function runFolder(project: Project): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-run-"));
  project.provide("runFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
