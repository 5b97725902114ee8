import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
// @ts-expect-error: a script without types.
import * as schema from "../../tools/packages/schemas.mjs";
import { ROOT, textOf } from "../helpers/repository";

const { RULE_FILE_SCHEMA, ruleFileSchema } = schema as {
  RULE_FILE_SCHEMA: string;
  ruleFileSchema: () => Promise<string>;
};

/** The output of the built generator. */
function generated(): Record<string, string> {
  const script = `require(${JSON.stringify(join(ROOT, "provider/dist/generate/generate.js"))})
    .formatted(${JSON.stringify(ROOT)})
    .then((files) => console.log(JSON.stringify(Object.fromEntries(files))))`;
  const output = execFileSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(output) as Record<string, string>;
}

it("generated files are up to date, byte for byte (else: npm run gen)", () => {
  const files = generated();
  expect(Object.keys(files)).toContain("provider/src/program/resources.ts");
  for (const [path, text] of Object.entries(files))
    expect(textOf(path), path).toBe(text);
}, 60_000);

it("the JSON schema of rule files is up to date (else: npm run gen)", async () => {
  expect(textOf(RULE_FILE_SCHEMA)).toBe(await ruleFileSchema());
});

it("every data source has a section in the docs and is used in an example", () => {
  const index = textOf("provider/src/program/functions.ts");
  const docs = textOf("docs/functions.md");
  const example = textOf("examples/events/index.ts");
  const sources = [...index.matchAll(/^export const (get\w+)Output:/gm)];
  expect(sources.length).toBeGreaterThan(0);
  for (const [, name = ""] of sources) {
    expect(docs).toContain(`\n### ${name}\n`);
    expect(example.replace(/\s+/g, "")).toContain(`devid.${name}Output(`);
  }
});
