import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkRuleFile, LINTS, type Paint, type Severity } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { findingsReport } from "../../../cli/src/output/findings-report";
import { expectGolden } from "../../helpers/golden";

const FOLDER = resolve(__dirname, "../../golden/lint");
/** Files whose whole report is recorded: a lint with each form of fix, and the codes that are no lint. */
const recorded = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));

/** Rule files by name: the recorded ones, and the example of each lint's page. */
const TEXTS = new Map([
  ...LINTS.map(
    ({ code, example }) =>
      [`${code}.yaml`, stringify({ rules: example })] as const,
  ),
  ...recorded.map(
    (name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const,
  ),
]);
const files = [...TEXTS.keys()];

const plain: Paint = (_, text) => text;

const findingsOf = (file: string) =>
  checkRuleFile(TEXTS.get(file) ?? "", file, {
    maxRules: file === "too-many-rules.yaml" ? 2 : undefined,
  }).map((finding) => ({ file, ...finding }));

describe("the report of findings in rule files", () => {
  it.each(recorded)("of %s matches its golden file", (file) => {
    const report = findingsReport(
      { findings: findingsOf(file), files: 1 },
      plain,
    );
    expectGolden(`lint/${file.replace(".yaml", ".txt")}`, report);
  });

  it("shows every code in a file with the code's name", () => {
    const codes = [
      ...LINTS.map(({ code }) => code),
      "invalid-allow",
      "invalid-expression",
      "invalid-file",
      "unused-allow",
    ];
    expect(files.sort()).toEqual(codes.map((code) => `${code}.yaml`).sort());
    for (const code of codes)
      expect(findingsOf(`${code}.yaml`).map((f) => f.code)).toContain(code);
  });

  it("fits into 80 columns, with and without colours", () => {
    const coloured: Paint = (_, text) => `<${text}>`;
    for (const file of files) {
      const findings = findingsOf(file);
      const report = findingsReport({ findings, files: 1 }, plain);
      const long = report.split("\n").filter((line) => [...line].length > 80);
      // A witness request has no spaces, so it cannot be wrapped.
      expect(long.filter((line) => !line.startsWith("request: "))).toEqual([]);
      const inColour = findingsReport({ findings, files: 1 }, coloured);
      expect(inColour.replaceAll(/[<>]/g, "")).toBe(
        report.replaceAll(/[<>]/g, ""),
      );
      expect(inColour).toMatch(/<(error|warning|note) [a-z-]+>/);
    }
  });

  it("counts findings, with plurals", () => {
    const finding = (severity: Severity) => ({
      file: "a.yaml",
      code: "x",
      severity,
      line: 1,
      column: 1,
      end: { line: 1, column: 2 },
      docs: "docs/lint.md",
      message: "wrong",
      frame: "1 | a\n  | ^",
    });
    const last = (...severities: Severity[]) =>
      findingsReport({ findings: severities.map(finding), files: 3 }, plain)
        .split("\n")
        .at(-2);
    expect(last()).toBe("Nothing found in 3 files.");
    expect(last("note", "error", "error")).toBe("2 errors, 1 note in 3 files.");
    expect(last("warning")).toBe("1 warning in 3 files.");
    expect(findingsReport({ findings: [], files: 1 }, plain)).toBe(
      "Nothing found in 1 file.\n",
    );
    expect(
      findingsReport({ findings: [finding("error")], files: 1 }, plain),
    ).toBe("a.yaml:1:1 error x wrong\n1 | a\n  | ^\n\n1 error in 1 file.\n");
  });
});
