import { openSync } from "node:fs";
import { expect, it } from "vitest";
import type { RuleSetDiff } from "@devid/rules";
import { DevidProcess } from "../../devid-process";
import { CliFolder } from "../../cli-folder";

const folder = CliFolder.forEachTest("rules diff");

it("devid rules eval prints one result for each input line", async () => {
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
    { expression: "true", request: { bogus: 1 } },
    { expression: "true", request: { isAiBot: true, isCrawlerBot: true } },
    // A request in the form of a diff's witness.
    {
      expression: "http.user_agent.is_ai_bot",
      request: { headers: {}, isAiBot: true, isCrawlerBot: false },
    },
  ];
  const devid = DevidProcess.start(["rules", "eval"], {}, "pipe");
  devid.child.stdin?.end(
    `\ufeff${[...lines.map((line) => JSON.stringify(line)), "no JSON"].join("\n")}`,
  );
  expect(await devid.ended()).toBe(1);
  const answers = devid.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const message = expect.any(String) as string;
  expect(answers).toEqual([
    { value: true },
    { result: "deny", triggered_rule: rules[1]?.expression },
    { result: "allow", triggered_rule: null },
    { error: { message, line: 1, column: 1, end: { line: 1, column: 29 } } },
    { error: { message, line: 1, column: 8, end: { line: 1, column: 8 } } },
    {
      error: {
        message,
        line: 1,
        column: 1,
        end: { line: 1, column: 8 },
        rule: 0,
      },
    },
    {
      error: {
        message:
          'This is neither {"expression","request"} nor {"rules","request"}.',
      },
    },
    {
      error: {
        message:
          'This is neither {"expression","request"} nor {"rules","request"}: request: bogus is not known',
      },
    },
    {
      error: {
        message:
          'This is neither {"expression","request"} nor {"rules","request"}: request.isCrawlerBot: no request is of an AI bot and of a crawler at once, so isAiBot and isCrawlerBot cannot both be true',
      },
    },
    { value: true },
    { error: { message } },
  ]);
});

it("devid rules eval refuses a folder as its input", async () => {
  const input = openSync(__dirname, "r");
  const devid = DevidProcess.start(["rules", "eval"], {}, input);
  expect(await devid.ended()).toBe(1);
  expect(devid.stderr).toContain("cannot be read: it is a folder.");
});

it("devid rules eval and devid rules diff agree on the requests of a diff", async () => {
  const rule = (name: string, action: string, expression: string) => ({
    ...{ name, action, expression },
  });
  const before = [
    rule("partners", "allow", "http.request.headers['Origin'][0] == 'a'"),
    rule("crawlers", "deny", "http.user_agent.is_crawler_bot"),
    rule("network", "deny", "http.request.ip in cidr('10.0.0.0/8')"),
    rule("agents", "deny", "http.user_agent.string startsWith 'curl/'"),
  ];
  const after = [
    rule("crawlers", "deny", "http.user_agent.is_ai_bot"),
    rule("partners", "allow", "http.request.headers['Origin'][0] == 'b'"),
    rule("network", "deny", "http.request.ip in cidr('2001:db8::/32')"),
    rule("phones", "deny", "sdk.platform.is_ios && sdk.version != '3'"),
  ];
  const { stdout } = await folder.run([
    folder.file("before.json", { rules: before }),
    folder.file("after.json", { rules: after }),
    "--json",
  ]);
  const { changes, effect } = JSON.parse(stdout) as RuleSetDiff;
  // Every request of a single change must be valid input of eval.
  const taken = changes
    .flatMap(({ effect: { newlyDenied, newlyAllowed } }) => [
      newlyDenied,
      newlyAllowed,
    ])
    .flatMap((found) => (found.answer === "found" ? [found.request] : []));
  expect(taken.length).toBeGreaterThanOrEqual(5);
  const { newlyDenied, newlyAllowed } = effect;
  if (newlyDenied.answer !== "found" || newlyAllowed.answer !== "found")
    throw new Error(`The effect is not found: ${stdout}`);
  const lines = [
    { rules: before, request: newlyDenied.request },
    { rules: after, request: newlyDenied.request },
    { rules: before, request: newlyAllowed.request },
    { rules: after, request: newlyAllowed.request },
    ...taken.map((request) => ({ rules: after, request })),
  ];
  const devid = DevidProcess.start(["rules", "eval"], {}, "pipe");
  devid.child.stdin?.end(lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(await devid.ended()).toBe(0);
  const results = devid.stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { result: string }).result);
  expect(results).toHaveLength(lines.length);
  expect(results.slice(0, 4)).toEqual(["allow", "deny", "deny", "allow"]);
});
