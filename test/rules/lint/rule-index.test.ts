import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkExpression,
  compileExpression,
  type CheckedExpression,
  type Rule,
  type RuleRequest,
} from "../../../rules/src";
import { coreOf } from "../../../rules/src/core/lower";
import { lintSet } from "../../../rules/src/lint/lint-rules";
import { guessedRequest } from "../../../rules/src/lint/set/guessed-request";
import { LintedSet } from "../../../rules/src/lint/set/linted-set";
import { RuleIndex } from "../../../rules/src/lint/set/rule-index";
import { findRequest } from "../../../rules/src/solver/find-request";
import { matches } from "../../../rules/src/solver/condition";
import { ruleCorpus } from "../../bench/rule-corpus";
import { documented, supported } from "../language/random-expression";
import { anyPattern, matchesOf } from "../language/random-patterns";
import { request } from "../language/random-request";
import { expression as small, requests as smallRequests } from "./small-world";

const checkedOf = (source: string): CheckedExpression[] => {
  const checked = checkExpression(source);
  return checked.ok ? [checked.expression] : [];
};

const isTrue = (expression: CheckedExpression, of: RuleRequest): boolean => {
  const result = compileExpression(expression).evaluate(of);
  return "value" in result && result.value;
};

function expectNamed(
  expressions: readonly CheckedExpression[],
  requests: readonly RuleRequest[],
): void {
  const index = new RuleIndex(expressions);
  for (const one of requests) {
    const places = index.placesFor(one, 0, expressions.length - 1);
    expect([...places]).toEqual([...new Set(places)].sort((a, b) => a - b));
    for (const [place, expression] of expressions.entries())
      if (isTrue(expression, one))
        expect(places, expression.source).toContain(place);
  }
}

const anyExpression = fc.oneof(documented, supported, small);

describe("the rule index", () => {
  it("names every rule that matches a request", () => {
    fc.assert(
      fc.property(
        fc.array(anyExpression, { minLength: 1, maxLength: 12 }),
        fc.array(request, { minLength: 1, maxLength: 8 }),
        (sources, requests) => {
          expectNamed(sources.flatMap(checkedOf), [
            ...requests,
            ...smallRequests.slice(0, 8),
          ]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("names every rule whose pattern matches", () => {
    const patterns = fc.array(matchesOf(anyPattern), { maxLength: 8 });
    fc.assert(
      fc.property(patterns, (cases) => {
        const expressions = cases.flatMap(({ expression }) =>
          checkedOf(expression),
        );
        expectNamed(
          expressions,
          cases.map(({ request }) => request),
        );
      }),
      { numRuns: 400 },
    );
  });

  it.each(["KIOSK/1", "\u212aiosk/2", "a kio\u017f\u212a/3", "\u00df kiosk/4"])(
    "compares letters like a pattern with (?i): %s",
    (userAgent) => {
      const pattern = checkedOf(
        "http.user_agent.string matches '(?i)kiosk/[0-9]'",
      );
      const others = checkedOf("http.user_agent.string matches 'kiosks/[0-9]'");
      const index = new RuleIndex([...pattern, ...others]);
      expect(index.placesFor({ headers: {}, userAgent }, 0, 1)).toEqual([0]);
      expectNamed(pattern, [{ headers: {}, userAgent }]);
    },
  );

  it("names every rule of a large set for a request that the rule matches", () => {
    const expressions = ruleCorpus(200, 1).flatMap(({ expression }) =>
      checkedOf(expression),
    );
    const requests = expressions.flatMap((one) => {
      const found = findRequest(matches(one));
      return found.answer === "found" ? [found.request] : [];
    });
    expect(requests.length).toBeGreaterThan(190);
    expectNamed(expressions, requests);
  });

  it("names few rules of a large set", () => {
    const rules = ruleCorpus(1_000, 1);
    const set = new LintedSet(rules);
    const index = new RuleIndex(set.enabled.map((one) => one.expression));
    const named = set.enabled.flatMap(({ match }) =>
      match.answer === "found"
        ? index.placesFor(match.request, 0, rules.length).length
        : [],
    );
    expect(named.length).toBeGreaterThan(set.enabled.length - 10);
    const mean = named.reduce((a, b) => a + b) / named.length;
    expect(mean).toBeLessThan(rules.length / 10);
  });
});

describe("a changed version of a linted set", () => {
  it("has the same findings as when it is linted alone", () => {
    const before = ruleCorpus(150, 3);
    const [moved] = before;
    const after = before
      .with(70, {
        name: "changed",
        expression:
          "any(http.request.headers['Orgin'], # == 'https://a.example')",
        action: "deny",
        status: "enabled",
      })
      .toSpliced(20, 1)
      .concat(moved ? { ...moved, name: "moved" } : []);
    const known = new LintedSet(before);
    lintSet(known);
    const found = lintSet(new LintedSet(after, { like: known }));
    expect(found.map(({ code }) => code)).toContain("header-name-unknown");
    expect(found).toEqual(lintSet(new LintedSet(after)));
  });
});

describe("the first matching rule", () => {
  it("is the same as in a search rule by rule", () => {
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...smallRequests),
        fc.nat(7),
        fc.nat(7),
        fc.boolean(),
        (sources, one, from, to, skipsOne) => {
          const set = new LintedSet(
            sources.map((expression, i): Rule => ({
              name: `r${i}`,
              expression,
              action: "deny",
              status: i % 3 === 1 ? "disabled" : "enabled",
            })),
          );
          const some = set.enabled
            .slice(from, to)
            .filter((_, i) => !skipsOne || i !== 1);
          expect(set.firstMatching(some, one)).toBe(
            some.find(({ expression }) => isTrue(expression, one)),
          );
        },
      ),
    );
  });
});

describe("the request that is found for a rule", () => {
  const matchOf = (expression: string) =>
    new LintedSet([
      { name: "r", expression, action: "deny", status: "enabled" },
    ]).rules[0]?.match;

  it("matches the rule, and the solver agrees that it is possible", () => {
    fc.assert(
      fc.property(anyExpression, (source) => {
        const match = matchOf(source);
        for (const expression of checkedOf(source)) {
          if (match?.answer !== "found") continue;
          expect(isTrue(expression, match.request)).toBe(true);
          expect(findRequest(matches(expression)).answer).not.toBe("none");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "http.user_agent.is_crawler_bot && http.user_agent.is_ai_bot",
    "http.request.headers['origin'][0] == 'https://shop.example'",
    "'x-a' in http.request.headers",
    "sdk.platform.name == 'web'",
    "sdk.version == '1.0.0' && sdk.version == '2.0.0'",
  ])("does not exist if no request can match: %s", (source) => {
    expect(matchOf(source)).toEqual({ answer: "none" });
  });

  it("is found without the solver for most rules of a large set", () => {
    const guessed = ruleCorpus(200, 1)
      .flatMap(({ expression }) => checkedOf(expression))
      .filter((expression) =>
        isTrue(expression, guessedRequest(coreOf(expression))),
      );
    expect(guessed.length).toBeGreaterThan(150);
  });
});
