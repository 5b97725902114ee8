import { all, findRequest, matches } from "@devid/rules";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, it, test } from "vitest";
import { checked, checkedIfRight } from "../language/checked";
import {
  anyPattern,
  patternText,
  plainPattern,
} from "../language/random-patterns";

/** Whether a request may have a text that a pattern matches; undefined for a pattern with a mistake. */
function mayMatch(expression: string, text: string): boolean | undefined {
  const pattern = checkedIfRight(expression);
  if (!pattern) return undefined;
  const isText = `http.user_agent.string == ${JSON.stringify(text)}`;
  const { answer } = findRequest(
    all(matches(pattern), matches(checked(isText))),
  );
  expect(answer).not.toBe("cannot tell");
  return answer === "found";
}

test.each([
  ["ab(?i){2}", "abb", true],
  ["ab(?i){2}", "ab{2}", false],
  ["^a(?s){2}$", "a{2}", false],
  ["a\\Q\\E{2}", "aa", true],
  ["a{,2}", "a{,2}", true],
])("what %s looks for in %s", (pattern, text, expected) => {
  const expression = `http.user_agent.string matches ${JSON.stringify(pattern)}`;
  expect(mayMatch(expression, text)).toBe(expected);
});

it("what the solver reads in a pattern is what RE2 finds", () => {
  let found = 0;
  const pattern = fc.oneof(anyPattern, plainPattern);
  fc.assert(
    fc.property(pattern, patternText, (source, text) => {
      const expression = `http.user_agent.string matches ${JSON.stringify(source)}`;
      const answer = mayMatch(expression, text);
      if (answer === undefined) return;
      expect(answer).toBe(RE2JS.compile(source).test(text));
      if (answer) found++;
    }),
    { numRuns: 3_000 },
  );
  expect(found).toBeGreaterThan(200);
});
