import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const dist = resolve(__dirname, "../../sdk/dist");

/** The files that a separate process loads for an entry of the built package. */
function loadedBy(entry: string): string[] {
  const code = `require(${JSON.stringify(resolve(dist, entry))}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const printed = execFileSync(process.execPath, ["-e", code], {
    encoding: "utf8",
  });
  return JSON.parse(printed) as string[];
}

it.each(["index.js", "errors.js"])(
  "%s loads neither undici nor the schemas of events",
  (entry) => {
    const files = loadedBy(entry);
    expect(
      files.filter((file) => /undici|server-api.schemas|wire.event/.test(file)),
    ).toEqual([]);
  },
);
