import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { DevidProcess } from "./devid-process";
import { folderForTests } from "../helpers/test-folder";
import { textOf } from "../helpers/repository";
import { blocksOf } from "../helpers/page-blocks";

// The files and commands that SKILL.md gives to an assistant, without an engine.

const TEXT = textOf("SKILL.md");
const [, RULES = ""] = blocksOf(TEXT, "yaml");

const folder = folderForTests();

it("has the front matter that assistants search", () => {
  const matter = parse(/^---\n(.*?)^---$/ms.exec(TEXT)?.[1] ?? "") as {
    name: string;
    description: string;
  };
  expect(matter.name).toBe("devid");
  expect(matter.description.length).toBeLessThanOrEqual(1024);
  expect(matter.description).toContain("Use when");
});

it("has rules that pass its commands, and a change that its diff describes", async () => {
  const before = join(folder, "before.yaml");
  const rules = join(folder, "rules.yaml");
  writeFileSync(before, RULES);
  writeFileSync(
    rules,
    RULES.replace("is_crawler_bot", "is_crawler_bot || sdk.platform.is_ios"),
  );
  for (const command of ["check", "test"])
    expect(await DevidProcess.run(["rules", command, before])).toMatchObject({
      code: 0,
    });
  const diff = await DevidProcess.run(["rules", "diff", before, rules]);
  expect(diff.code).toBe(2);
  expect(diff.stdout).toContain("denies more requests");
});

it("names only commands and pages that exist", async () => {
  const commands = TEXT.matchAll(/npx --no devid (rules \w+|\w+)/g);
  for (const name of new Set([...commands].map(([, name = ""]) => name)))
    expect(
      await DevidProcess.run([...name.split(" "), "--help"]),
      name,
    ).toMatchObject({ code: 0 });
});
