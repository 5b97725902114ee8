import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(__dirname, "../..");

/**
 * The most entries of each package. The limit keeps internal code out of the public
 * API.
 */
const MOST_ENTRIES = { sdk: 6 };

it.each(Object.entries(MOST_ENTRIES))(
  "%s has at most %i entries, and each entry is built",
  (room, most) => {
    const manifest = JSON.parse(
      readFileSync(join(ROOT, room, "package.json"), "utf8"),
    ) as { exports: Record<string, { types: string; default: string }> };
    const entries = Object.values(manifest.exports);
    expect(entries.length).toBeLessThanOrEqual(most);
    for (const { types, default: code } of entries) {
      const source = code.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      expect(readFileSync(join(ROOT, room, source), "utf8")).not.toBe("");
      expect(types).toBe(code.replace(/\.js$/, ".d.ts"));
    }
  },
);
