import { writeFileSync } from "node:fs";
import path from "node:path";
import { RunError } from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { rulesFromFile } from "../../../provider/src/program/rules-from-file";
import { folderForTests } from "../../helpers/test-folder";

const folder = folderForTests();

function file(text: string): string {
  const name = path.join(folder, "rules.yaml");
  writeFileSync(name, text);
  return name;
}

describe("a rule file", () => {
  it("is optional", () => {
    const args = { rules: [], allowEmpty: true };
    expect(rulesFromFile(args)).toEqual(args);
  });

  it("is refused beside a list of rules", () => {
    expect(() => rulesFromFile({ rules: [], rulesFile: "x.yaml" })).toSay(
      "rule-set/rules-and-file",
    );
  });

  it("that does not exist is named", () => {
    const rulesFile = path.join(folder, "gone.yaml");
    expect(() => rulesFromFile({ rulesFile })).toThrow(
      `The rule file ${rulesFile} cannot be read: ENOENT`,
    );
  });

  it("with mistakes reports the place of each", () => {
    const rulesFile = file(
      'rules:\n  - { name: a, expression: "", action: deny }\n  - { name: a, expression: x, action: no }\n',
    );
    const failing = () => rulesFromFile({ rulesFile });
    expect(failing).toThrow(RunError);
    expect(failing).toThrow(`${rulesFile}:2:28 rules[0].expression`);
    expect(failing).toThrow(`${rulesFile}:3:39 rules[1].action`);
  });

  it("with a mistake in an expression reports its place in the file", () => {
    const rulesFile = file(
      "rules:\n  - name: a\n    expression: http.user_agnt.string == ''\n    action: deny\n",
    );
    expect(() => rulesFromFile({ rulesFile })).toThrow(
      `${rulesFile}:3:22 rule "a": http.user_agnt is not known`,
    );
  });
});
