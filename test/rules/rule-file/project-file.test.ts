import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkRuleFile,
  isRuleFile,
  LARGEST_FILE,
  openRuleFile,
  parseYaml,
  readProjectFile,
  RuleFileError,
} from "@devid/rules";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
let project: string;
folderForEachTest((path) => (folder = path));
beforeEach(() => {
  project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "rules"));
  writeFileSync(join(project, "rules/rules.yaml"), "rules: []\n");
  writeFileSync(join(folder, "credentials"), "pul-0123456789abcdef\n");
});

const read = (name: string) => readProjectFile(join(project, name)).toString();
const link = (target: string, name: string) =>
  symlinkSync(target, join(project, name));

describe("a file of a project", () => {
  it("is read, and so is a link that stays in the project", () => {
    link("rules/rules.yaml", "link.yaml");
    link("rules", "more");
    for (const name of ["rules/rules.yaml", "link.yaml", "more/rules.yaml"])
      expect(read(name)).toBe("rules: []\n");
  });

  it("is read where the project itself is reached by a link", () => {
    symlinkSync(project, join(folder, "here"));
    const path = join(folder, "here/rules/rules.yaml");
    expect(readProjectFile(path).toString()).toBe("rules: []\n");
  });

  it.each([
    ["a file outside", "../credentials", ""],
    ["the environment", "/proc/self/environ", ""],
    ["a device", "/dev/zero", ""],
    ["a folder outside", "..", "/credentials"],
    ["a folder of the system", "/proc/self", "/environ"],
  ])("is not read if a link leads to %s", (_, target, rest) => {
    link(target, "link");
    expect(() => read(`link${rest}`)).toThrow(
      `it is a link that leads out of ${project}; name the file itself`,
    );
  });

  it("is not read through another repository outside", () => {
    mkdirSync(join(folder, "other/.git"), { recursive: true });
    writeFileSync(join(folder, "other/rules.yaml"), "rules: []\n");
    link("../other", "other");
    expect(() => read("other/rules.yaml")).toThrow("leads out of");
    // Whoever runs the command may name it.
    const named = join(folder, "other/rules.yaml");
    expect(readProjectFile(named).toString()).toBe("rules: []\n");
  });

  it("is not read if it is no regular file, or too large", () => {
    execFileSync("mkfifo", [join(project, "pipe")]);
    expect(() => read("pipe")).toSay("project-file/no-file");
    expect(() => readProjectFile("/dev/zero")).toSay("project-file/no-file");
    writeFileSync(join(project, "large"), "#".repeat(LARGEST_FILE + 1));
    expect(() => read("large")).toSay("project-file/too-large");
    expect(() => readProjectFile(join(project, "rules/rules.yaml"), 5)).toSay(
      "project-file/too-large-here",
    );
  });
});

describe("a rule file of a stranger", () => {
  const nested = (open: string, times: number) =>
    `rules: ${open.repeat(times)}`;
  const messages = (text: string) =>
    checkRuleFile(text, "rules.yaml").map(({ message }) => message);

  it.each([
    ["lists", nested("[", 3_000)],
    ["a megabyte of lists", nested("[", 1_000_000)],
    ["maps", nested("{a: ", 300_000)],
    [
      "lists behind stray brackets",
      `rules: ${"] ".repeat(20_000)}${"[".repeat(20_000)}`,
    ],
    ["items on one line", `rules:\n  ${"- ".repeat(500_000)}a\n`],
  ])("is refused at its place if it nests %s", (_, text) => {
    expect(messages(text)).toEqual([
      "lists and fields are nested in each other more than 100 times",
    ]);
    expect(isRuleFile(text)).toBe(true);
    expect(() => openRuleFile(text, "rules.yaml")).toThrow(RuleFileError);
  });

  it.each([
    ["aliases", `a: &a 1\nrules: [${"*a, ".repeat(20_000)}]\n`],
    [
      "anchors",
      `rules:\n${Array.from({ length: 50_000 }, (_, i) => `  - &a${i} x\n`).join("")}`,
    ],
  ])("is refused if it has thousands of %s", (_, text) => {
    expect(messages(text)).toEqual([
      "there are more than 1000 anchors and aliases; write the values out",
    ]);
  });

  it("is refused within the time of a test if it has ten thousands of fields", () => {
    const fields = Array.from({ length: 50_000 }, (_, i) => `k${i}: 1\n`);
    expect(messages(fields.join(""))).toEqual([
      "there are more than 1000 fields in one map",
    ]);
  });

  it("is checked within the time of a test if each of 2,000 rules has a mistake", () => {
    const rules = Array.from(
      { length: 2_000 },
      (_, i) =>
        `  - name: r${i}\n    expression: http.nothing\n    action: deny\n`,
    );
    const about = "http.nothing is not known";
    const found = messages(`rules:\n${rules.join("")}`).filter((said) =>
      said.startsWith(about),
    );
    expect(found).toHaveLength(2_000);
  });

  it("is refused if it is too large", () => {
    expect(messages(`rules: []\n${"#".repeat(LARGEST_FILE)}`)).toEqual([
      `the file has ${LARGEST_FILE + 10} characters, and 4194304 at most are allowed`,
    ]);
  });

  it("has no limit within the text of an expression", () => {
    const text = `rules:\n  - name: a\n    expression: |\n      ${"[[{{- - &a *a ".repeat(300)}\n    action: deny\n`;
    expect(parseYaml(text).errors).toEqual([]);
  });
});
