import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect } from "vitest";

/**
 * Asserts that a text equals a file in test/golden, byte for byte. With
 * `UPDATE_GOLDEN=1` in the environment, it writes the file instead.
 */
export function expectGolden(name: string, text: string): void {
  const path = resolve(__dirname, "../golden", name);
  if (process.env.UPDATE_GOLDEN === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path), `${path} exists (else: UPDATE_GOLDEN=1)`).toBe(true);
  expect(text).toBe(readFileSync(path, "utf8"));
}
