import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CliFolder } from "../../cli-folder";
import { succeeded } from "../../devid-process";

const folder = CliFolder.forEachTest("rules test");
const file = (text: string, name = "rules.yaml") => folder.file(name, text);
const test = (...args: string[]) => folder.run(args);

const RULES = `rules:
  - name: crawlers
    expression: http.user_agent.is_crawler_bot
    action: deny
  - name: shop
    expression: http.request.headers['Origin'][0] == 'https://shop.example'
    action: allow
  - name: old
    expression: sdk.platform.is_ios
    action: deny
    status: disabled
  - name: pages
    expression: sdk.platform.is_browser
    action: deny
`;
const PASSING = `  - name: a crawler is denied
    request: { userAgent: Googlebot/2.1 }
    expect: { deny: crawlers }
`;
const FAILING = `  - name: a page is served
    request: { sdkPlatform: js }
    expect: { allow: shop } # so far
`;

describe("devid rules test", () => {
  it("passes the rules of the quickstart, and a test reaches each rule", async () => {
    const path = resolve(
      __dirname,
      "../../../../examples/quickstart/rules.yaml",
    );
    const { code, stdout, stderr } = await test("--strict", path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /\n {2}3 of 3 rules are reached by a test\n\n4 tests passed in 1 file\.\n$/,
    );
  });

  it("shows which test failed, which rule decided, and the place of the test", async () => {
    const { code, stdout } = await test(
      file(`${RULES}tests:\n${PASSING}${FAILING}`),
    );
    expect(code).toBe(2);
    expect(stdout).toSay("rules-test/failed");
  });

  it("fails for rules that no test reaches only with --strict", async () => {
    const path = file(`${RULES}tests:\n${PASSING}`);
    const lenient = await succeeded(test(path));
    expect(lenient.stdout).toContain(
      "\n  warning: 1 of 3 rules are reached by a test; not reached: shop, pages\n",
    );
    const strict = await test("--strict", path);
    expect(strict.code).toBe(2);
    expect(strict.stdout).toContain("\n  ✗ 1 of 3 rules are reached");
  });

  it("says that a file has no tests", async () => {
    const path = file("rules: []\n");
    const lenient = await succeeded(test(path));
    expect(lenient.stdout).toSay("rules-test/no-tests");
    expect((await test("--strict", path)).code).toBe(2);
  });

  it("prints lines of at most 80 columns", async () => {
    const words = "a name of many words ".repeat(10).trim();
    const names = Array.from({ length: 20 }, (_, i) => `rule-${i}`);
    const rules = names.map(
      (name) => `  - { name: ${name}, expression: "false", action: deny }\n`,
    );
    const path = file(
      `rules:\n${rules.join("")}tests:\n  - { name: ${words}, request: {}, expect: { deny: rule-1 } }\n`,
    );
    const { stdout } = await test(path);
    const lines = stdout.split("\n");
    expect(
      Math.max(...lines.map((line) => [...line].length)),
    ).toBeLessThanOrEqual(80);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `not reached: ${names.join(", ")} `,
    );
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`✗ ${words} `);
  });

  it("prints JSON", async () => {
    const { code, stdout } = await test(
      "--json",
      file(`${RULES}tests:\n${FAILING}`),
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      files: [
        {
          file: "rules.yaml",
          tests: [
            {
              name: "a page is served",
              passed: false,
              expected: { result: "allow", rule: "shop" },
              got: { result: "deny", rule: "pages" },
              trace: [{}, {}, {}, { rule: "pages", outcome: "matched" }],
              line: 18,
              column: 13,
            },
          ],
          coverage: { notReached: ["crawlers", "shop"], disabled: ["old"] },
        },
      ],
    });
  });

  it("tests the other files when one has a mistake, and exits with an error", async () => {
    file("rules:\n  - { name: a, expression: nope, action: deny }\n", "a.yaml");
    file("rules: []\ntests: [1]\n", "b.yaml");
    file(`${RULES}tests:\n${FAILING}`, "c.yaml");
    const { code, stdout, stderr } = await test(".");
    expect(code).toBe(1);
    expect(stderr).toContain('  a.yaml:2:28 rule "a": nope is not known');
    expect(stderr).toContain("  b.yaml:2:9 tests[0]: ");
    expect(stdout).toMatch(/^c\.yaml\n/);
    const alone = await test("a.yaml");
    expect({ ...alone, stderr: "" }).toEqual({
      code: 1,
      stdout: "",
      stderr: "",
    });
  });
});
