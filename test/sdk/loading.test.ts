import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const dist = resolve(__dirname, "../../sdk/dist");

/** The files that a process of its own loads for an entry of the built package. */
function loadedBy(entry: string): string[] {
  const code = `require(${JSON.stringify(resolve(dist, entry))}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const printed = execFileSync(process.execPath, ["-e", code], {
    encoding: "utf8",
  });
  return JSON.parse(printed) as string[];
}

// Each file costs a part of a millisecond at every start of a program.
it.each([
  ["index.js", 40],
  ["errors.js", 6],
  ["webhooks/webhooks.js", 4],
])(
  "%s loads at most %i files, no HTTP library and no schema",
  (entry, most) => {
    const files = loadedBy(entry);
    expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(most);
  },
);
