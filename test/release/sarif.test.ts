import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import Ajv from "ajv-draft-04";
import { expect, it } from "vitest";
import { DevidProcess } from "../cli/devid-process";
import { folderForEachTest } from "../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const installed = createRequire(
  resolve(__dirname, "../../tools/release/package.json"),
);
const SCHEMA = readFileSync(
  installed.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
  "utf8",
);
const validate = new Ajv({
  strict: false,
  validateFormats: false,
  // With the flag u, a pattern of the schema is invalid.
  unicodeRegExp: false,
}).compile(JSON.parse(SCHEMA) as object);

/** A name that every format must escape: markup, a runner's command, an emoji. */
const NAME = 'a <b> & "c" ::error::d %0A 😀,';

const FILE = `rules:
  - name: ${JSON.stringify(NAME)}
    expression: sdk.version matches '^3-'
    action: deny
tests:
  - name: apps get in
    request: { headers: {}, sdkPlatform: ios }
    expect: deny
`;

it.each(["check", "test"])("SARIF of rules %s is valid", async (command) => {
  writeFileSync(join(folder, "rules.yaml"), FILE);
  const { stdout } = await DevidProcess.run(
    ["rules", command, "rules.yaml", "--format", "sarif"],
    {},
    folder,
  );
  expect(validate(JSON.parse(stdout))).toBe(true);
  expect(validate.errors).toBeNull();
});
