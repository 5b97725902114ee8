import { expect, it } from "vitest";
import { describeRequest } from "../../../sdk/src/rules/diff-report/describe-request";
import type { RuleRequest } from "../../../sdk/src/rules";

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
      userAgent: "curl/8",
      sdkPlatform: "js",
      sdkVersion: "3.1",
      appPackageName: "com.shop",
      isAiBot: true,
      isCrawlerBot: true,
    },
    'header Origin "https://shop.example", header X-A "a", "b", header X-B without a value, ' +
      'ip 203.0.113.5, userAgent "curl/8", sdkPlatform "js", sdkVersion "3.1", ' +
      'appPackageName "com.shop", isAiBot true, isCrawlerBot true',
  ],
  [{ headers: { "": ['"\n\u202e'] } }, 'header "" "\\"\\n\\u{202e}"'],
  [{ headers: {}, userAgent: "x".repeat(60) }, `userAgent "${"x".repeat(60)}"`],
  [
    { headers: {}, userAgent: "\u{1f600}".repeat(61) },
    `userAgent "${"\u{1f600}".repeat(57)}..."`,
  ],
])("%j is called %s", (request, text) => {
  expect(describeRequest(request)).toBe(text);
});
