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

/**
 * Asserts that a text equals a section of a file in test/golden, which holds the sentences
 * of several tests of one file. A section begins with `== <its title>`. With
 * `UPDATE_GOLDEN=1` in the environment, it writes the section instead.
 */
export function expectRecorded(
  name: string,
  section: string,
  text: string,
): void {
  const path = resolve(__dirname, "../golden", name);
  const file = existsSync(path) ? readFileSync(path, "utf8") : "";
  const sections = new Map(
    file
      .split(/^== /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1).trimEnd()];
      }),
  );
  if (process.env.UPDATE_GOLDEN === "1") {
    sections.set(section, text);
    const parts = [...sections].map(
      ([title, body]) => `== ${title}\n${body}\n`,
    );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, parts.join("\n"));
  }
  expect(text, `${section} (else: UPDATE_GOLDEN=1)`).toBe(
    sections.get(section),
  );
}
