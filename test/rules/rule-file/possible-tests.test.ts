import fc from "fast-check";
import { expect, it } from "vitest";
import { lintRules } from "../../../rules/src/lint/lint-rules";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";
import { runRuleTests } from "../../../rules/src/rule-file/run-rule-tests";
import { request } from "../language/random-request";

/**
 * Expressions that the generator's requests can match, although no possible request
 * does.
 */
const RULES = [
  "http.user_agent.is_ai_bot && http.user_agent.is_crawler_bot",
  "http.user_agent.is_ai_bot && http.user_agent.is_crawler_bot && sdk.version == 'a'",
  "'' in http.request.headers",
  "'x-a' in http.request.headers",
  "sdk.platform.name == 'of its own'",
  "sdk.platform.is_ios && sdk.platform.is_android",
  "http.request.headers['X-A'] == nil && 'X-A' in http.request.headers",
  "http.user_agent.is_ai_bot",
  "'X-A' in http.request.headers",
].map((expression, n) => ({ name: `r${n}`, expression, action: "deny" }));

it("no test in a file can match a rule that lint reports as never matching", () => {
  const never = new Set(
    lintRules(
      RULES.map((rule) => ({ ...rule, status: "enabled", action: "deny" })),
    )
      .filter(({ code }) => code === "never-matches")
      .map(({ rule }) => rule),
  );
  expect(never.size).toBeGreaterThan(3);
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(request, fc.constantFrom(...RULES), (made, rule) => {
      const text = JSON.stringify({
        rules: [rule],
        tests: [{ name: "t", request: made, expect: "allow" }],
      });
      try {
        const { tests } = runRuleTests(openRuleFile(text, "rules.json"));
        seen.taken += 1;
        if (never.has(rule.name))
          expect([rule.expression, tests[0]?.got.result]).toEqual([
            rule.expression,
            "allow",
          ]);
      } catch (error) {
        if (!(error instanceof RuleFileError)) throw error;
        seen.refused += 1;
      }
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(50);
});
