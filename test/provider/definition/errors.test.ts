import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(__dirname, "../../../provider/src");

/** Their errors become failures of a check, or are somebody else's. */
const CAUGHT = ["lifecycle/expand-file.ts", "lifecycle/explain-failure.ts"];

// Pulumi's host prints a plain Error with its stack, three times.
it("every operation throws only errors of devid's own classes", () => {
  const files = ["lifecycle", "ownership", "resources", "session"]
    .flatMap((room) =>
      readdirSync(join(SOURCES, room), { recursive: true }).map(
        (file) => `${room}/${String(file)}`,
      ),
    )
    .filter((file) => file.endsWith(".ts") && !CAUGHT.includes(file));
  expect(files.length).toBeGreaterThan(20);
  const plain = files.filter((file) =>
    /new (Type|Range)?Error\(/.test(readFileSync(join(SOURCES, file), "utf8")),
  );
  expect(plain).toEqual([]);
});
