import { LINTS } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { DevidProcess, failed, succeeded } from "../../devid-process";

const explain = (...args: string[]) =>
  DevidProcess.run(["rules", "explain", ...args]);

describe("devid rules explain", () => {
  it("describes what each lint finds, with an example and its correction", async () => {
    for (const { code, doc, example } of LINTS) {
      const { code: exit, stdout } = await explain(code);
      expect(exit).toBe(0);
      expect(stdout.replaceAll("\n", " ")).toContain(doc);
      expect(stdout).toContain(example[0]?.name);
      expect(stdout).toContain("Corrected");
    }
  });

  it("is JSON with --json", async () => {
    const { stdout } = await explain("unreachable", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      code: "unreachable",
      severity: "warning",
    });
  });

  it("describes the code of a mistake in a file", async () => {
    const { stdout } = await succeeded(explain("invalid-expression"));
    expect(stdout).toMatch(/^error invalid-expression: /);
  });

  it.each([
    ["unreachible", "write unreachable."],
    ["something-else", "write the code of a lint, as docs/lint.md lists them."],
  ])("says for the unknown code %s to %s", async (wrong, hint) => {
    expect(await failed(explain(wrong))).toContain(
      `There is no lint ${wrong}: ${hint}`,
    );
  });
});
