import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, onTestFinished } from "vitest";

const newFolder = () => mkdtempSync(join(tmpdir(), "devid-test-"));
const remove = (path: string) => rmSync(path, { recursive: true, force: true });

/** Makes a folder for the tests of a file or of a `describe`, and removes it after them. */
export function folderForTests(): string {
  const path = newFolder();
  afterAll(() => remove(path));
  return path;
}

/** Makes a folder before each test, passes its path to `use`, and removes it after the test. */
export function folderForEachTest(use: (path: string) => void): void {
  beforeEach(() => {
    const path = newFolder();
    onTestFinished(() => remove(path));
    use(path);
  });
}
