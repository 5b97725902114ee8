import { expect, it } from "vitest";
import { DevidProcess } from "../../devid-process";

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
    { expression: "true", request: { bogus: 1 } },
    // A request as a diff finds it.
    {
      expression: "http.user_agent.is_ai_bot",
      request: { headers: {}, isAiBot: true, isCrawlerBot: false },
    },
  ];
  const devid = DevidProcess.start(["rules", "eval"], {}, "pipe");
  devid.child.stdin?.end(
    [...lines.map((line) => JSON.stringify(line)), "no JSON"].join("\n"),
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
    { error: { message, line: 1, column: 1 } },
    { error: { message, line: 1, column: 8 } },
    { error: { message, line: 1, column: 1, rule: 0 } },
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
    { value: true },
    { error: { message } },
  ]);
});
