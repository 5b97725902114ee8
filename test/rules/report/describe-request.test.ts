import { findRequest, matches, not, type RuleRequest } from "@devid/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import { withBotFlags } from "../../../rules/src/language/request/bot-flags";
import { describeRequest } from "../../../rules/src/report/describe/describe-request";
import { checkedOf, resultFor } from "../language/checked";
import { documented, supported } from "../language/random-expression";
import { request } from "../language/random-request";
import { readDescription } from "./read-description";

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

const conditions = checkedOf(fc.oneof(documented, supported));

it("the description of a witness describes a request with the same result", () => {
  let shown = 0;
  fc.assert(
    fc.property(conditions, (expression) => {
      for (const condition of [matches(expression), not(matches(expression))]) {
        const found = findRequest(condition);
        if (found.answer !== "found") continue;
        shown++;
        const text = describeRequest(found.request);
        const read = withBotFlags(readDescription(text));
        expect([text, resultFor(expression, read)]).toEqual([
          text,
          resultFor(expression, found.request),
        ]);
      }
    }),
    { numRuns: 400 },
  );
  expect(shown).toBeGreaterThan(400);
});

const anyRequest = fc.oneof(
  request,
  fc.record(
    {
      headers: fc.dictionary(
        fc.string({ unit: "grapheme", maxLength: 6 }),
        fc.array(fc.string({ unit: "binary", maxLength: 9 }), { maxLength: 2 }),
        { maxKeys: 2 },
      ),
      userAgent: fc.constantFrom("", "Googlebot/2.1", "GPTBot/1.2", "curl/8"),
      sdkVersion: fc.string({ unit: "binary", maxLength: 9 }),
      isAiBot: fc.boolean(),
      isCrawlerBot: fc.boolean(),
    },
    { requiredKeys: ["headers"] },
  ),
);

it("any request can be read back from its description", () => {
  fc.assert(
    fc.property(anyRequest, (one) => {
      const read = readDescription(describeRequest(one));
      const whole = (request: RuleRequest) => ({
        userAgent: "",
        sdkVersion: "",
        appPackageName: "",
        ...withBotFlags(request),
        headers: Object.entries(request.headers),
      });
      expect(whole(read)).toEqual(whole(one));
    }),
    { numRuns: 600 },
  );
});
