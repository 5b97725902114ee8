import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { DevidProcess } from "../../devid-process";
import { folderForEachTest } from "../../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const rule = (expression: string) =>
  `rules:\n  - name: a\n    expression: ${expression}\n    action: deny\n`;

const check = (...args: string[]) =>
  DevidProcess.run(["rules", "check", ...args]);

describe("devid rules check", () => {
  it("finds no mistake in the rules of the quickstart", async () => {
    const path = resolve(
      __dirname,
      "../../../../examples/quickstart/rules.yaml",
    );
    const { code, stdout, stderr } = await check("--strict", path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain(" error ");
  });

  it("shows an expression unescaped when the file escapes it", async () => {
    const path = file("a.yaml", rule('"sdk.version == \\"1\\" &&"'));
    const { stdout } = await check(path);
    expect(stdout).toContain(`${path}:3:17 error`);
    expect(stdout).toContain('1 | sdk.version == "1" &&');
  });

  it("reports a file that is not UTF-8, and a merge conflict, beside the mistakes of other files", async () => {
    const latin = file("a.yaml", "");
    writeFileSync(latin, Buffer.from("rules: [] # sch\u00f6n", "latin1"));
    const conflict = file("b.yaml", `<<<<<<< HEAD\n${rule("true")}=======\n`);
    const { code, stdout } = await check("--json", folder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      findings: [
        { file: latin, line: 1, column: 16, code: "invalid-file" },
        { file: conflict, line: 1, column: 1, code: "invalid-file" },
      ],
    });
  });

  it("fails on a warning only with --strict", async () => {
    const path = file("a.yaml", rule("http.request.ip in cidr('10.0.0.5/8')"));
    const args = ["--max-rules", "0", path];
    const { code, stdout } = await check(...args);
    expect(code).toBe(0);
    expect(stdout).toContain(`${path}:3:17 warning too-many-rules rule "a":`);
    expect(stdout).toContain(`${path}:3:41 note network rule "a":`);
    expect(stdout).toMatch(/\n1 warning, 1 note in 1 file\.\n$/);
    expect((await check("--strict", ...args)).code).toBe(2);
    expect((await check("--strict", path)).code).toBe(0);
  });

  it("fails with --strict when lint ran out of time", async () => {
    const rules = Array.from({ length: 14 }, (_, at) => ({
      name: `a${at}`,
      expression: `sdk.version == '${at}'`,
      action: "deny",
    }));
    const path = file("a.json", JSON.stringify({ rules }));
    const args = ["--within", "1ms", path];
    const { code, stdout } = await check(...args);
    expect(code).toBe(0);
    expect(stdout).toContain(" note out-of-time rule");
    expect((await check("--strict", ...args)).code).toBe(2);
  });

  it("writes its report to a file", async () => {
    const path = file("a.yaml", rule("sdk.version"));
    const out = join(folder, "report.txt");
    const { stdout } = await check(path);
    expect(await check(path, "--out", out)).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(readFileSync(out, "utf8")).toBe(stdout);
  });

  it("prints colours on request, and no colours to a pipe by default", async () => {
    const path = file("a.yaml", rule("sdk.version"));
    const args = ["rules", "check", path];
    const { stdout } = await DevidProcess.run(args, { FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001b[31merror invalid-expression\u001b[39m");
    expect((await DevidProcess.run(args)).stdout).not.toContain("\u001b");
  });

  it("has in JSON the start and the end of a finding, and the address of its documentation", async () => {
    const path = file(
      "a.yaml",
      rule("sdk.version == '\u{1f600}' || sdk.versio"),
    );
    const block = file(
      "b.yaml",
      "rules:\n  - name: a\n    action: deny\n    expression: |-\n      sdk.version ==\n        true\n",
    );
    const ends = async (path: string) => {
      const { stdout } = await check("--json", path);
      const { findings } = JSON.parse(stdout) as {
        findings: Record<string, unknown>[];
      };
      return findings.map(({ line, column, end, code, docs }) => ({
        from: [line, column],
        end,
        code,
        docs,
      }));
    };
    const code = "invalid-expression";
    expect(await ends(path)).toMatchObject([
      { from: [3, 43], end: { line: 3, column: 49 }, code },
    ]);
    expect(await ends(block)).toMatchObject([
      { from: [5, 7], end: { line: 6, column: 13 }, code },
    ]);
    const bits = file("c.yaml", rule("http.request.ip in cidr('10.0.0.5/8')"));
    expect(await ends(bits)).toMatchObject([
      {
        from: [3, 41],
        end: { line: 3, column: 53 },
        docs: "docs/lint.md#network",
      },
    ]);
  });

  it("skips installed packages, but not the folder of a user whose path has their name", async () => {
    const here = join(folder, "node_modules_old");
    mkdirSync(join(here, "node_modules", "package"), { recursive: true });
    file("node_modules_old/node_modules/package/rules.yaml", "rules:\n  - {");
    file("node_modules_old/rules.yaml", rule("sdk.platform.is_ios"));
    const { stdout } = await check(here);
    expect(stdout).toBe("Nothing found in 1 file.\n");
  });

  it("searches folders for rule files and skips other files", async () => {
    mkdirSync(join(folder, "below"));
    file("below/a.yml", rule("sdk.platform.is_ios"));
    file("b.json", JSON.stringify({ rules: [] }));
    file("package.json", "{}");
    const { stdout } = await check(folder);
    expect(stdout).toBe("Nothing found in 2 files.\n");
  });

  it("names a path that it cannot read", async () => {
    const missing = join(folder, "none.yaml");
    const { code, stderr } = await check(missing);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `devid: ${missing} cannot be read: there is no such file.\n`,
    );
    const empty = await check(folder);
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain("There is no rule file in the folder");
    const { code: usage, stderr: text } = await check(
      "--max-rules",
      "x",
      folder,
    );
    expect(usage).toBe(1);
    expect(text).toContain("whole number");
  });
});
