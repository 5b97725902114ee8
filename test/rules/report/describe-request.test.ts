import { expect, it } from "vitest";
import { describeRequest } from "../../../rules/src/report/describe/describe-request";
import type { RuleRequest } from "../../../rules/src";

it.each<[Partial<RuleRequest>, string]>([
  [{ isAiBot: false, userAgent: "", sdkVersion: "" }, "an empty request"],
  [
    {
      headers: { Origin: ["https://a.example"], "X-A": ["a", "b"], "X-B": [] },
      ip: "203.0.113.5",
      userAgent: "Mozilla/5.0",
      sdkPlatform: "js",
      isAiBot: true,
      isCrawlerBot: true,
    },
    'header Origin "https://a.example", header X-A "a", "b", header X-B without a value, ' +
      'ip 203.0.113.5, userAgent "Mozilla/5.0", sdkPlatform "js", isAiBot true, isCrawlerBot true',
  ],
  [{ headers: { "a, b": ['"\n\u202e'] } }, 'header "a, b" "\\"\\n\\u{202e}"'],
  [
    { userAgent: "\u{1f600}".repeat(201) },
    `userAgent "${"\u{1f600}".repeat(200)}" and 1 more characters`,
  ],
  [
    { userAgent: "x".repeat(200) + "GPTBot/1.2" },
    `userAgent "${"x".repeat(200)}" and 10 more characters, isAiBot true`,
  ],
])("%j is described as %s", (request, text) => {
  expect(describeRequest({ headers: {}, ...request })).toBe(text);
});
