import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DevidProcess } from "./devid-process";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "devid-rules-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const rule = (expression: string) =>
  `rules:\n  - name: a\n    expression: ${expression}\n    action: deny\n`;

describe("devid rules check", () => {
  it("has nothing to say of the quickstart's rules", async () => {
    const path = resolve(__dirname, "../../examples/quickstart/rules.yaml");
    const checked = await DevidProcess.run(["rules", "check", path]);
    expect(checked).toEqual({
      code: 0,
      stdout: "0 problems in 1 file.\n",
      stderr: "",
    });
  });

  it("shows a mistake in an expression under its line of the file", async () => {
    const path = file("a.yaml", rule("http.user_agnt.is_crawler_bot"));
    const { code, stdout } = await DevidProcess.run(["rules", "check", path]);
    expect(code).toBe(2);
    expect(stdout.replaceAll(folder, "")).toBe(
      [
        '/a.yaml:3:22 rule "a": http.user_agnt is not known; http has user_agent, request',
        "3 |     expression: http.user_agnt.is_crawler_bot",
        "  |                      ^^^^^^^^^",
        "",
        "1 problem in 1 file.",
        "",
      ].join("\n"),
    );
  });

  it("shows an expression that the file spells otherwise as it reads", async () => {
    const path = file("a.yaml", rule('"sdk.version == \\"1\\" &&"'));
    const { stdout } = await DevidProcess.run(["rules", "check", path]);
    expect(stdout).toContain(`${path}:3:17 rule "a": `);
    expect(stdout).toContain('1 | sdk.version == "1" &&');
  });

  it("shows a mistake of the file itself, too", async () => {
    const path = file("a.yaml", "rules:\n  - name: a\n    acton: deny\n");
    const args = ["rules", "check", "--json", path];
    const { code, stdout } = await DevidProcess.run(args);
    expect(code).toBe(2);
    const found = JSON.parse(stdout) as { line: number; message: string }[];
    expect(found.map(({ line, message }) => [line, message])).toEqual([
      [2, "rules[0].expression: is required"],
      [2, "rules[0].action: is required"],
      [3, "rules[0].acton: is not known"],
    ]);
  });

  it("searches folders for rule files and passes over the rest", async () => {
    mkdirSync(join(folder, "below"));
    file("below/a.yml", rule("sdk.platform.is_ios"));
    file("b.json", JSON.stringify({ rules: [] }));
    file("package.json", "{}");
    const { stdout } = await DevidProcess.run(["rules", "check", folder]);
    expect(stdout).toBe("0 problems in 2 files.\n");
  });

  it("says what cannot be read", async () => {
    const missing = join(folder, "none.yaml");
    const { code, stderr } = await DevidProcess.run([
      "rules",
      "check",
      missing,
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `devid: ${missing} cannot be read: there is no such file.\n`,
    );
    const empty = await DevidProcess.run(["rules", "check", folder]);
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain("There is no rule file in the folder");
  });
});

it("devid rules eval answers a line for a line", async () => {
  const request = { ip: "10.1.2.3", userAgent: "Googlebot/2.1" };
  const rules = [
    { expression: "sdk.platform.is_ios", action: "allow" },
    { expression: "http.request.ip in cidr('10.0.0.0/8')", action: "deny" },
  ];
  const lines = [
    { expression: "http.user_agent.is_crawler_bot", request },
    { rules, request },
    { rules: rules.slice(0, 1), request },
    { expression: "http.request.headers['X'][0] == 'a'", request },
    { expression: "true &&", request },
    { rules: [{ expression: "nothing", action: "deny" }], request },
    { request },
  ];
  const devid = DevidProcess.start(["rules", "eval"], {}, "pipe");
  devid.child.stdin?.end(
    [...lines.map((line) => JSON.stringify(line)), "no JSON"].join("\n"),
  );
  expect(await devid.ended()).toBe(0);
  const answers = devid.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const message = expect.any(String) as string;
  expect(answers).toEqual([
    { value: true },
    { result: "deny", triggered_rule: rules[1]?.expression },
    { result: "allow", triggered_rule: null },
    { error: { message, line: 1, column: 1 } },
    { error: { message, line: 1, column: 8 } },
    { error: { message, line: 1, column: 1, rule: 0 } },
    { error: { message } },
    { error: { message } },
  ]);
});
