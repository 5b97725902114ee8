import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";
import { textOf } from "../../helpers/repository";

const QUICKSTART = resolve(
  __dirname,
  "../../../examples/quickstart/rules.yaml",
);
const schema = JSON.parse(textOf("rules/rule-file.schema.json")) as {
  $schema: string;
  [name: string]: unknown;
};
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  schema,
);

function parses(text: string): boolean {
  try {
    openRuleFile(text, "rules.yaml");
    return true;
  } catch (error) {
    if (error instanceof RuleFileError) return false;
    throw error;
  }
}

describe("the JSON schema of a rule file", () => {
  it("uses draft 7, which editors support best", () => {
    expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
  });

  it("describes every field", () => {
    const bare: string[] = [];
    const look = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties")
          for (const [name, field] of Object.entries(value as object))
            if (!(field as { description?: string }).description)
              bare.push(`${path}/${name}`);
        look(value, `${path}/${key}`);
      }
    };
    look(schema, "");
    expect(bare).toEqual([]);
  });

  it("is the schema that the quickstart file names, and accepts that file", () => {
    const text = readFileSync(QUICKSTART, "utf8");
    const [, named = ""] =
      /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? [];
    const found = resolve(dirname(QUICKSTART), named);
    expect(JSON.parse(readFileSync(found, "utf8"))).toEqual(schema);
    expect(validate(parse(text))).toBe(true);
  });

  it("is part of the package", () => {
    const { files } = JSON.parse(textOf("rules/package.json")) as {
      files: string[];
    };
    expect(files).toContain("rule-file.schema.json");
  });

  const text = readFileSync(resolve(__dirname, "schema.txt"), "utf8");
  const blocks = text.split("\n\n").map((block) => block.split("\n"));

  it.each(blocks)("agrees with the parser about %s", (what, content = "") => {
    const isValid = what?.endsWith(" => valid");
    expect(validate(JSON.parse(content))).toBe(isValid);
    expect(parses(content)).toBe(isValid);
  });
});
