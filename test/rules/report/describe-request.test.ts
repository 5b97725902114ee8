import { expect, it } from "vitest";
import { describeRequest } from "../../../rules/src/report/describe/describe-request";
import type { RuleRequest } from "../../../rules/src";

it.each<[RuleRequest, string]>([
  [{ headers: {} }, "an empty request"],
  [{ headers: {}, isAiBot: false, isCrawlerBot: false }, "an empty request"],
  [{ headers: {}, userAgent: "", sdkVersion: "" }, "an empty request"],
  [
    {
      headers: {
        Origin: ["https://shop.example"],
        "X-A": ["a", "b"],
        "X-B": [],
      },
      ip: "203.0.113.5",
      userAgent: "Mozilla/5.0",
      sdkPlatform: "js",
      sdkVersion: "3.1",
      appPackageName: "com.shop",
      isAiBot: true,
      isCrawlerBot: true,
    },
    'header Origin "https://shop.example", header X-A "a", "b", header X-B without a value, ' +
      'ip 203.0.113.5, userAgent "Mozilla/5.0", sdkPlatform "js", sdkVersion "3.1", ' +
      'appPackageName "com.shop", isAiBot true, isCrawlerBot true',
  ],
  [{ headers: { "": ['"\n\u202e'] } }, 'header "" "\\"\\n\\u{202e}"'],
  [{ headers: { "a, b": ["c"] } }, 'header "a, b" "c"'],
  [
    { headers: {}, userAgent: "x".repeat(200) },
    `userAgent "${"x".repeat(200)}"`,
  ],
  [
    { headers: {}, userAgent: "\u{1f600}".repeat(201) },
    `userAgent "${"\u{1f600}".repeat(200)}" and 1 more characters`,
  ],
  [
    { headers: {}, userAgent: "Googlebot/2.1", isCrawlerBot: false },
    'userAgent "Googlebot/2.1", isCrawlerBot false',
  ],
  [
    { headers: {}, userAgent: "Googlebot/2.1", isCrawlerBot: true },
    'userAgent "Googlebot/2.1"',
  ],
  [
    { headers: {}, userAgent: "Mozilla/5.0", isAiBot: true },
    'userAgent "Mozilla/5.0", isAiBot true',
  ],
  [
    { headers: {}, userAgent: "x".repeat(200) + "GPTBot/1.2" },
    `userAgent "${"x".repeat(200)}" and 10 more characters, isAiBot true`,
  ],
])("%j is described as %s", (request, text) => {
  expect(describeRequest(request)).toBe(text);
});
