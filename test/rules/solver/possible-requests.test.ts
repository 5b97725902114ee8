import { all, findRequest, matches, not } from "@devid/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPossible } from "./is-possible";
import { checked, checkedOf } from "../language/checked";
import { documented, supported } from "../language/random-expression";

const answerOf = (source: string) =>
  findRequest(matches(checked(source))).answer;

describe("the solver proves that no possible request matches", () => {
  it.each([
    "http.user_agent.is_ai_bot && http.user_agent.is_crawler_bot",
    "sdk.platform.name == 'web'",
    "sdk.platform.name contains 'x'",
    "len(sdk.platform.name) == 4",
    "sdk.platform.is_unknown && sdk.platform.name != 'unknown'",
    "upper(sdk.platform.name) == 'JSX'",
    "http.request.headers['x-a'][0] == 'a'",
    "'X-a' in http.request.headers",
    "len(http.request.headers['sec-ch-ua']) > 0",
    "http.request.headers['origin'] != nil",
    "any(http.request.headers['ORIGIN'], true)",
    "'' in http.request.headers",
    "'Origin ' in http.request.headers",
  ])("%s", (source) => {
    expect(answerOf(source)).toBe("none");
  });

  it.each([
    "http.user_agent.is_ai_bot && !http.user_agent.is_crawler_bot",
    "!http.user_agent.is_ai_bot && http.user_agent.is_crawler_bot",
    "sdk.platform.name matches '^u'",
    "len(sdk.platform.name) == 7",
    "http.request.headers['X-A'][0] == 'a' && 'x-a' not in http.request.headers",
    "len(http.request.headers['origin']) == 0 && none(http.request.headers['origin'], true)",
    "'Sec-Ch-Ua' in http.request.headers",
    "'X_a' in http.request.headers",
    "any(http.request.headers['__proto__'], # == 'a')",
    "not (sdk.platform.name in ['js', 'ios', 'android'])",
  ])("but finds a request for %s", (source) => {
    expect(answerOf(source)).toBe("found");
  });
});

it("every example is a possible request", () => {
  let found = 0;
  const expression = checkedOf(fc.oneof(documented, supported));
  fc.assert(
    fc.property(expression, expression, (one, other) => {
      const [a, b] = [matches(one), matches(other)];
      for (const condition of [a, not(a), all(a, b), all(a, not(b))]) {
        const answer = findRequest(condition);
        if (answer.answer !== "found") continue;
        found++;
        expect([answer.request, isPossible(answer.request)]).toContain(true);
      }
    }),
    { numRuns: 400 },
  );
  expect(found).toBeGreaterThan(400);
});

it("a condition that the solver cannot read may differ for each number of a list", () => {
  const numbers = "[len(http.user_agent.string), len(sdk.version)]";
  const condition = "# == count(http.request.headers['A'], # == 'x')";
  expect(
    answerOf(
      `any(${numbers}, ${condition}) && any(${numbers}, !(${condition}))`,
    ),
  ).not.toBe("none");
});

it("a text and a number that look alike are two values of a list", () => {
  const isIn = (list: string) =>
    `any(http.request.headers['A'] ?? [], # in ${list})`;
  expect(answerOf(`${isIn("['5n', 'a']")} && !${isIn("[5, 'a']")}`)).toBe(
    "found",
  );
});

it("an example has the bot flags of its user agent unless the condition asks for others", () => {
  const found = findRequest(
    matches(checked("http.user_agent.string startsWith 'GPTBot/'")),
  );
  expect(found).toMatchObject({
    request: { isAiBot: true, isCrawlerBot: false },
  });
});
