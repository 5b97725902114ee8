import { describe, expect, it } from "vitest";
import { UsageCounter } from "@devid/review/replay";
import { compileExpression } from "@devid/rules/language";
import {
  compileRuleSet,
  evaluateLine,
  eventAsRuleRequest,
  explainRules,
  findRequest,
  matches,
  type Explanation,
  type PartialRuleRequest,
  type Rule,
  type RuleRequest,
  type TermTrace,
} from "@devid/rules";
import { checked } from "./language/checked";
import { rule } from "./diff/rule";

function explained(
  rules: readonly Rule[],
  request: PartialRuleRequest,
): Explanation {
  const found = explainRules(rules, request);
  if ("refused" in found) throw new Error("A rule was refused.");
  return found;
}

const CRAWLER: RuleRequest = {
  headers: { Origin: ["https://shop.example"] },
  ip: "10.1.2.3",
  userAgent: "Googlebot/2.1",
  isAiBot: false,
  isCrawlerBot: true,
  sdkPlatform: "js",
};

const RULES = [
  rule("ios", "sdk.platform.is_ios"),
  rule("old", "true", { status: "disabled" }),
  rule("no-accept", "http.request.headers['Accept'][0] == ''"),
  rule("crawler", "http.user_agent.is_crawler_bot"),
  rule("network", "http.request.ip in cidr('10.0.0.0/8')", { action: "allow" }),
];

/** A line for each term: its outcome, its operator, and what it reads. */
const linesOf = (trace: TermTrace | undefined): string[] => {
  if (!trace) return [];
  const { outcome, operator, term, reads, parts = [] } = trace;
  const own = [outcome, operator, term, reads && JSON.stringify(reads)];
  return [
    own.filter(Boolean).join(" "),
    ...parts.flatMap(linesOf).map((line) => `  ${line}`),
  ];
};

describe("an explanation", () => {
  it("lists each rule with its outcome, also the rules after the deciding rule", () => {
    const { result, mayDecide, rules } = explained(RULES, CRAWLER);
    expect({ result, mayDecide }).toEqual({
      result: "deny",
      mayDecide: ["crawler"],
    });
    expect(rules.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["ios", "not matched"],
      ["old", "skipped"],
      ["no-accept", "failed"],
      ["crawler", "matched"],
      ["network", "matched"],
    ]);
    expect(rules[2]?.trace.problem).toContain("there is no such element");
  });

  it("agrees with the evaluator on every prefix of the rules", () => {
    for (let count = 0; count <= RULES.length; count++) {
      const rules = RULES.slice(0, count);
      const compiled = compileRuleSet(rules);
      if (!compiled.ok) throw new Error("A rule was refused.");
      const { result, decidedBy, trace } = compiled.evaluate(CRAWLER);
      const found = explained(rules, CRAWLER);
      expect(found.result).toBe(result);
      expect(found.mayDecide).toEqual(decidedBy ? [decidedBy.name] : []);
      expect(found.rules.slice(0, trace.length)).toMatchObject(
        trace.map(({ rule, outcome }) => ({ rule, outcome })),
      );
    }
  });

  it("lists the terms up to the deciding term, and the values that they read", () => {
    const expression =
      "sdk.platform.is_ios || !(http.request.headers['Origin'][0] in ['https://a.example']) || http.request.ip in cidr('10.0.0.0/8')";
    const [only] = explained([rule("it", expression)], CRAWLER).rules;
    expect(linesOf(only?.trace)).toEqual([
      `true || ${expression}`,
      `  false sdk.platform.is_ios [{"field":"sdk.platform.is_ios","value":false}]`,
      "  true ! !(http.request.headers['Origin'][0] in ['https://a.example'])",
      `    false http.request.headers['Origin'][0] in ['https://a.example'] [{"field":"http.request.headers['Origin']","value":["https://shop.example"]}]`,
      "  not evaluated http.request.ip in cidr('10.0.0.0/8')",
    ]);
  });

  it("prints each term, without the comments and brackets of the source", () => {
    const [only] = explained(
      [rule("it", "(sdk.platform.is_ios // phones\n) || (\n(true))")],
      CRAWLER,
    ).rules;
    expect(only?.trace).toMatchObject({
      term: "sdk.platform.is_ios || true",
      parts: [{ term: "sdk.platform.is_ios" }, { term: "true" }],
    });
  });

  it("of a past event names the fields that the event lacks", () => {
    const event = { user_agent: "curl/8", ip_address: "10.1.2.3" };
    const { result, mayDecide, rules } = explained(
      [
        rule("key", "'X-Key' not in http.request.headers"),
        rule("network", "http.request.ip in cidr('10.0.0.0/8')", {
          action: "allow",
        }),
      ],
      eventAsRuleRequest(event),
    );
    expect({ result, mayDecide }).toEqual({
      result: "cannot tell",
      mayDecide: ["key", "network"],
    });
    expect(rules).toMatchObject([
      {
        outcome: "may match",
        trace: {
          outcome: "unknown",
          reads: [{ field: "http.request.headers['X-Key']", value: "unknown" }],
        },
      },
      { outcome: "matched" },
    ]);
  });

  it("has at most 30 levels of terms, so that a deep expression is explained soon", () => {
    const reading = (n: number) => `sdk.version == '${n}'`;
    let deep = reading(0);
    for (let n = 1; n < 900; n++) deep = `(${reading(n)} || ${deep})`;
    const [one] = explained([rule("deep", deep)], { headers: {} }).rules;
    const levelsOf = ({ parts = [] }: TermTrace): number =>
      1 + Math.max(0, ...parts.map(levelsOf));
    expect(one && levelsOf(one.trace)).toBe(31);
    expect(JSON.stringify(one).length).toBeLessThan(50 * deep.length);
  });

  it("names the invalid rules, and explains no other", () => {
    const found = explainRules([rule("it", "nothing")], CRAWLER);
    expect(found).toMatchObject({ refused: [{ index: 0 }] });
  });
});

it("devid rules eval --trace adds the explanation to its answer", () => {
  const request = { userAgent: "Googlebot/2.1" };
  const expression = "http.user_agent.is_crawler_bot";
  const ask = (question: object) =>
    evaluateLine(JSON.stringify(question), { trace: true });
  expect(ask({ expression, request })).toMatchObject({
    value: true,
    trace: { outcome: "true", reads: [{ field: expression, value: true }] },
  });
  const rules = [{ name: "crawler", expression, action: "deny" }];
  expect(ask({ rules, request })).toMatchObject({
    result: "deny",
    rules: [
      { rule: "crawler", outcome: "matched", trace: { outcome: "true" } },
    ],
  });
});

/** What every reader makes of a header that is not among them. */
const readAs = (name: string) => {
  const expression = `http.request.headers['${name}'][0] == 'a'`;
  const rules = [rule("it", expression)];
  const request = { headers: {}, otherHeaders: "unknown" } as const;
  const it = checked(expression);
  const found = compileExpression(it).evaluatePartly(request);
  const counter = new UsageCounter({ rules, start: 0, end: 10 });
  counter.add({ request, events: 1, first: 1, last: 1 });
  return {
    evaluated: "unknown" in found,
    explained:
      explained(rules, request).rules[0]?.trace.reads?.[0]?.value === "unknown",
    counted: counter.usage().rules[0]?.verdict === "cannot tell",
    solved: findRequest(matches(it)).answer === "found",
  };
};

it.each([
  ...["Origin", "X-Foo", "Sec-Ch-Ua"].map((name) => [name, true] as const),
  ...["origin", "ORIGIN", "x-foo", "Origin:", "X Foo", "é", ""].map(
    (name) => [name, false] as const,
  ),
])(
  "where only some headers are known, every reader knows whether a request may have %j: %s",
  (name, may) => {
    expect(readAs(name)).toEqual({
      evaluated: may,
      explained: may,
      counted: may,
      solved: may,
    });
  },
);
