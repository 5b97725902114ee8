import { afterEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CliFolder } from "../../cli-folder";
import { failed, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forEachTest("rules test --live", workspace);
afterEach(async () => {
  await workspace.forgetFaults();
});

const file = (text: string, name = "rules.yaml") => folder.file(name, text);
const test = folder.run.bind(folder);

/** A text that looks like a key, in a header of a request. */
const KEY = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";
const RULES = `rules:
  - name: crawlers
    expression: http.user_agent.is_crawler_bot
    action: deny
  - name: pages
    expression: sdk.platform.is_browser
    action: deny
`;
const TESTS = `tests:
  - name: a crawler is denied
    request: { userAgent: Googlebot/2.1 }
    expect: { deny: crawlers }
  - name: so is a page
    request: { headers: { x-api-key: ${KEY} }, sdkPlatform: js }
    expect: { deny: pages }
`;

const answerOnce = (status: number, body: object | string) =>
  workspace.fault({
    match: { path: "*/filtering-rules/test" },
    times: 1,
    then: { status, body },
  });

describe("devid rules test --live", () => {
  it("asks the service, and the service agrees", async () => {
    expect(await test([file(RULES + TESTS)])).toEqual({
      code: 0,
      stdout: expect.toSay("rules-test-live/agrees", {
        service: workspace.url,
      }),
      stderr: "",
    });
  });

  it("shows the service's different result, without a key", async () => {
    const data = { result: "allow", deny_with: null, triggered_rule: null };
    await workspace.fault({
      match: { path: "*/filtering-rules/test" },
      times: 2,
      then: { status: 200, body: { data } },
    });
    const { code, stdout } = await test([file(RULES + TESTS)]);
    expect(code).toBe(2);
    expect(stdout).toSay("rules-test-live/decides-differently");
    for (const line of stdout.split("\n"))
      expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain(KEY);
  });

  it("shows a key with --show-secrets", async () => {
    await answerOnce(200, { data: { result: "allow", triggered_rule: null } });
    const tests = TESTS.replace(
      / {2}- name: a crawler[^]*(?= {2}- name: so)/,
      "",
    );
    const { stdout } = await test(["--show-secrets", file(RULES + tests)]);
    expect(stdout).toContain(`header X-Api-Key "${KEY}"`);
  });

  it("shows a rule that the service rejects", async () => {
    await answerOnce(400, {
      error: {
        code: "validation_error",
        message: "The request is not valid",
        violations: [
          { property: "rules[1].expression", message: "unknown name sdk" },
        ],
      },
    });
    const { code, stdout } = await test([file(RULES + TESTS)]);
    expect(code).toBe(2);
    expect(stdout).toSay("rules-test-live/refused-rule");
  });

  it("blames no rule for the 400 of a gateway", async () => {
    await answerOnce(400, "<html>Request header too large</html>");
    const { code, stdout, stderr } = await test([file(RULES + TESTS)]);
    expect(code).toBe(1);
    expect(stdout).not.toContain("refuses");
    expect(stderr).toContain("it may come from a proxy or gateway");
  });

  it("prints JSON", async () => {
    await answerOnce(200, { data: { result: "allow", triggered_rule: null } });
    const { code, stdout } = await test(["--json", file(RULES + TESTS)]);
    expect(code).toBe(2);
    const place = { column: 5 };
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      files: [
        {
          file: "rules.yaml",
          tests: [{ passed: true }, { passed: true }],
          live: {
            region: "us",
            managementUrl: `${workspace.url}/management`,
            calls: 2,
            tests: [
              {
                name: "a crawler is denied",
                request: { userAgent: "Googlebot/2.1" },
                here: { result: "deny", rule: "crawlers" },
                line: 9,
                ...place,
                outcome: { kind: "different", service: { result: "allow" } },
              },
              {
                request: { headers: { "X-Api-Key": ["[redacted]"] } },
                outcome: { kind: "same", service: { rule: "pages" } },
              },
            ],
          },
        },
      ],
    });
  });

  it("sends no request when the file has no tests", async () => {
    const { stdout } = await succeeded(
      test([file(RULES)], { DEVID_ENDPOINT: "http://127.0.0.1:9" }),
    );
    expect(stdout).toSay("rules-test-live/no-tests");
    expect((await test(["--strict", file(RULES)])).code).toBe(2);
  });

  it("fails with --strict when the service cannot be asked about a test", async () => {
    const flag = `tests:
  - { name: a, request: { isCrawlerBot: true }, expect: deny }
  - { name: b, request: { sdkPlatform: js }, expect: deny }
`;
    const path = file(RULES + flag);
    expect(await test([path])).toMatchObject({ code: 0 });
    const { code, stdout } = await test(["--strict", path]);
    expect(code).toBe(2);
    expect(stdout).toContain(
      "  ✗ not asked, because the service recognises bots by",
    );
  });

  it.each([
    ["without a key", { DEVID_MANAGEMENT_KEY: "" }, 1, "key of region us is"],
    [
      "with a wrong key",
      { DEVID_MANAGEMENT_KEY: "warbler-wrong-key" },
      1,
      "failed: 401 unauthorized",
    ],
    [
      "offline",
      { DEVID_ENDPOINT: "http://127.0.0.1:9" },
      3,
      "http://127.0.0.1:9 could not be reached",
    ],
  ])("%s still prints the local results", async (_, env, exitCode, message) => {
    const path = file(RULES + TESTS);
    const { code, stdout, stderr } = await test([path], env);
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(/\n2 tests passed in 1 file\.\n$/);
    expect(stdout).not.toContain("the service");
    expect(stderr).toContain(message);
    expect(stdout + stderr).not.toContain("warbler");
    const json = await test(["--json", path], env);
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [{ tests: [{}, {}] }],
    });
    expect(json.stdout).not.toContain('"live"');
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { exitCode } });
  });

  it("says that the service lacks the call", async () => {
    await answerOnce(404, { error: { code: "not_found", message: "No" } });
    expect(await failed(test([file(RULES + TESTS)]))).toContain(
      "seems to have no POST /filtering-rules/test",
    );
  });

  it("tests several files, and reports an invalid one", async () => {
    file(RULES + TESTS, "a.yaml");
    file(RULES + TESTS, "b.yaml");
    file("rules: [{}]", "c.yaml");
    const { code, stdout, stderr } = await test(["."]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^4 tests passed .*; the service agrees\.$/m);
    expect(stderr).toContain("c.yaml");
  });
});
