import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceText } from "../../../../cli/src/sources/rule-files";
import { CliFolder } from "../../cli-folder";
import { failed, succeeded } from "../../devid-process";

const folder = CliFolder.forEachTest("rules check");

const rule = (expression: string) =>
  `rules:\n  - name: a\n    expression: ${expression}\n    action: deny\n`;

const check = (...args: string[]) => folder.run(args);

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
    const path = folder.file("a.yaml", rule('"sdk.version == \\"1\\" &&"'));
    const { stdout } = await check(path);
    expect(stdout).toContain(`${path}:3:17 error`);
    expect(stdout).toContain('1 | sdk.version == "1" &&');
  });

  it("reports a file that is not UTF-8, and a merge conflict, beside the mistakes of other files", async () => {
    const latin = folder.file(
      "a.yaml",
      Buffer.from("rules: [] # sch\u00f6n", "latin1"),
    );
    const conflict = folder.file(
      "b.yaml",
      `<<<<<<< HEAD\n${rule("true")}=======\n`,
    );
    const { code, stdout } = await check("--json", ".");
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
    const path = folder.file(
      "a.yaml",
      rule("http.request.ip in cidr('10.0.0.5/8')"),
    );
    const args = ["--max-rules", "0", path];
    const { stdout } = await succeeded(check(...args));
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
    const path = folder.file("a.json", JSON.stringify({ rules }));
    const args = ["--within", "1ms", path];
    const { stdout } = await succeeded(check(...args));
    expect(stdout).toContain(" note out-of-time rule");
    expect((await check("--strict", ...args)).code).toBe(2);
  });

  it("writes its report to a file", async () => {
    const path = folder.file("a.yaml", rule("sdk.version"));
    const { stdout } = await check(path);
    expect(await check(path, "--out", "report.txt")).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(folder.read("report.txt")).toBe(stdout);
  });

  it("prints colours on request, and no colours to a pipe by default", async () => {
    const path = folder.file("a.yaml", rule("sdk.version"));
    const { stdout } = await folder.run([path], { FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001b[31merror invalid-expression\u001b[39m");
    expect((await check(path)).stdout).not.toContain("\u001b");
  });

  it("has in JSON the start and the end of a finding, and the address of its documentation", async () => {
    const path = folder.file(
      "a.yaml",
      rule("sdk.version == '\u{1f600}' || sdk.versio"),
    );
    const block = folder.file(
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
    const bits = folder.file(
      "c.yaml",
      rule("http.request.ip in cidr('10.0.0.5/8')"),
    );
    expect(await ends(bits)).toMatchObject([
      {
        from: [3, 41],
        end: { line: 3, column: 53 },
        docs: "docs/lint.md#network",
      },
    ]);
  });

  it("skips installed packages, but not the folder of a user whose path has their name", async () => {
    folder.file(
      "node_modules_old/node_modules/package/rules.yaml",
      "rules:\n  - {",
    );
    folder.file("node_modules_old/rules.yaml", rule("sdk.platform.is_ios"));
    const { stdout } = await check("node_modules_old");
    expect(stdout).toBe("Nothing found in 1 file.\n");
  });

  it("searches folders for rule files and skips other files", async () => {
    folder.file("below/a.yml", rule("sdk.platform.is_ios"));
    folder.file("b.json", JSON.stringify({ rules: [] }));
    folder.file("package.json", "{}");
    const { stdout } = await check(".");
    expect(stdout).toBe("Nothing found in 2 files.\n");
  });

  it("names a file of a folder that it cannot read, such as one whose name is not UTF-8", async () => {
    folder.file("a.yaml", rule("sdk.platform.is_ios"));
    writeFileSync(
      Buffer.concat([
        Buffer.from(`${folder.path}/`),
        Buffer.from([0xff]),
        Buffer.from(".yaml"),
      ]),
      "rules: []",
    );
    expect(await failed(check("."))).toBe(
      "devid: \ufffd.yaml cannot be read: there is no such file.\n",
    );
  });

  it("checks a file once, however often it is named", async () => {
    const path = folder.file("a.yaml", rule("sdk.platform.is_ios"));
    const { stdout } = await check(path, path, `./${path}`, ".");
    expect(stdout).toBe("Nothing found in 1 file.\n");
  });

  it("says that a name is empty, as with a variable that is not set", async () => {
    const { code, stderr } = await check("");
    expect([code, stderr]).toEqual([
      1,
      "devid: The name of the file to be read is empty: is a variable not set?\n",
    ]);
  });

  it("does not write over what another program has written since it read the file", async () => {
    const path = join(folder.path, folder.file("a.yaml", "rules: [] # mine\n"));
    const replaced = replaceText({ path, text: "rules: []\n" }, "rules: []");
    await expect(replaced).rejects.toThrow(
      `${path} has changed since it was read, so it is left as it is.`,
    );
    expect(folder.read("a.yaml")).toBe("rules: [] # mine\n");
  });

  it("names a path that it cannot read", async () => {
    const stderr = await failed(check("none.yaml"));
    expect(stderr).toBe(
      "devid: none.yaml cannot be read: there is no such file.\n",
    );
    expect(await failed(check("."))).toContain(
      "There is no rule file in the folder",
    );
    const { code: usage, stderr: text } = await check("--max-rules", "x", ".");
    expect(usage).toBe(1);
    expect(text).toContain("whole number");
  });
});
