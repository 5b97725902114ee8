import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  containsUnknown,
  Secret,
  UNKNOWN,
} from "../../../provider/src/definition/value";
import { readRuleFile } from "@devid/rules";
import { lifecycleOf } from "../lifecycle-of";
import { folderForTests } from "../../helpers/test-folder";

const TEXT = `
rules:
  - { name: bots, expression: http.user_agent.is_crawler_bot, action: deny }
`;

const BOTS = {
  bots: {
    expression: "http.user_agent.is_crawler_bot",
    action: "deny",
    status: "enabled",
    denyWith: "Forbidden",
    after: "",
  },
};

const folder = folderForTests();

function file(text: string | Uint8Array): string {
  const path = join(folder, "rules.yaml");
  writeFileSync(path, text);
  return path;
}

/** The inputs after a check, and the failures. With `takeOver`, the check sends no request. */
const checked = (news: object, olds?: object) =>
  lifecycleOf("FilteringRuleSet").check({
    news: { takeOver: true, ...news },
    ...(olds && { olds: { ...olds } }),
  });

describe("a file instead of rules", () => {
  it.each([
    ["a path", () => file(TEXT)],
    ["a path from the working directory", () => relative("", file(TEXT))],
  ])("is passed as %s, and becomes rules", async (_, rulesFile) => {
    const { inputs, failures } = await checked({ rulesFile: rulesFile() });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ rules: BOTS });
    expect(inputs).not.toHaveProperty("rulesFile");
    expect((await checked(inputs, inputs)).inputs).toEqual(inputs);
  });

  it("is the property that a mistake in its rules is reported for", async () => {
    const { failures } = await checked({ rulesFile: file("rules: []") });
    expect(failures).toEqual([
      {
        property: "rulesFile",
        reason: expect.stringContaining("is empty") as string,
      },
    ]);
  });

  it("becomes secret rules when the file is secret", async () => {
    const given = { rulesFile: new Secret(file(TEXT)) };
    const { inputs } = await checked(given);
    expect(inputs.rules).toEqual(new Secret(BOTS));
  });

  it.each([
    ["the file", UNKNOWN],
    ["a secret", new Secret(UNKNOWN)],
  ])("becomes unknown rules when %s is unknown", async (_, rulesFile) => {
    const { inputs, failures } = await checked({ rulesFile });
    expect(failures).toEqual([]);
    expect(inputs.rules).toBe(UNKNOWN);
  });

  it("leaves rules unchanged when the program ignores their changes", async () => {
    const olds = (await checked({ rulesFile: file(TEXT) })).inputs;
    const other = file(TEXT.replace("bots", "others"));
    const news = { rules: olds.rules, rulesFile: other };
    expect((await checked(news, olds)).inputs.rules).toEqual(BOTS);
  });
});

describe("a file is refused", () => {
  it("without an unknown input, which the engine would report in place of the failure", async () => {
    const rulesFile = join(folder, "gone.yaml");
    const { inputs, failures } = await checked({ rulesFile });
    expect(failures).toHaveLength(1);
    expect(containsUnknown(inputs)).toBe(false);
  });

  const reasons = async (news: object) =>
    (await checked(news)).failures.map(
      ({ property, reason }) => `${property}: ${reason}`,
    );

  it("when rules are given too, and so is a program with neither", async () => {
    expect(await reasons({ rules: [], rulesFile: "x" })).toSay(
      "rules-file/and-rules",
    );
    expect(await reasons({})).toSay("rules-file/nor-rules");
  });

  it("at once when it is a pipe, a device or larger than a rule file may be", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const rulesFile of [pipe, "/dev/zero"])
      expect(await reasons({ rulesFile })).toSay("rules-file/device");
    const large = join(folder, "large.yaml");
    writeFileSync(large, "#".repeat(4 * 1024 * 1024 + 1));
    expect(await reasons({ rulesFile: large })).toSay("rules-file/too-large");
    for (const path of [pipe, "/dev/zero", large])
      expect(() => readRuleFile(path)).toThrow(/it (is a device|has 4194305)/);
  });

  it("when it does not exist or cannot be read", async () => {
    const gone = join(folder, "gone.yaml");
    expect(await reasons({ rulesFile: gone })).toSay("rules-file/missing", {
      gone,
    });
    expect(await reasons({ rulesFile: folder })).toEqual([
      expect.stringMatching(/^rulesFile: cannot be read: EISDIR/),
    ]);
    expect(await reasons({ rulesFile: "" })).toSay("rules-file/empty-path");
  });

  it("with the place of each mistake, also of mistakes in expressions", async () => {
    const wrong = `rules:\n  - { name: a, expression: "", action: deny }\n  - { name: b, expression: "true", action: no }\n`;
    expect(await reasons({ rulesFile: file(wrong) })).toSay(
      "rules-file/not-valid",
    );
    const three = `rules:\n  - { name: a, expression: http.user_agnt, action: deny }\n  - { name: b, expression: "true", action: no }\n  - { name: c, expression: nothing.is, action: deny }\n`;
    const [all = ""] = await reasons({ rulesFile: file(three) });
    for (const mistake of [
      "2:",
      'rule "a": http.user_agnt is not known',
      "rules[1].action: must be one of allow, deny",
      'rule "c": nothing is not known',
    ])
      expect(all).toContain(mistake);
    const bytes = new Uint8Array([0xff, 0xfe]);
    expect(await reasons({ rulesFile: file(bytes) })).toEqual([
      expect.stringContaining("save the file as UTF-8"),
    ]);
  });

  it("without a quotation when it is secret", async () => {
    const text = TEXT.replace("user_agent", "canary_4711");
    const rulesFile = new Secret(file(text));
    expect(await reasons({ rulesFile })).toSay("rules-file/not-valid-secret");
  });

  it("when it is no path, such as the members of an asset", async () => {
    for (const rulesFile of [{ text: TEXT }, 7, [TEXT]])
      expect(await reasons({ rulesFile })).toSay("rules-file/no-path");
  });
});
