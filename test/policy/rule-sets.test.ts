import { maxRules, noDenyAll, ruleSetNotEmpty } from "@devid/policy/policies";
import { describe, expect, it } from "vitest";
import { ask, inState, rule, UNKNOWN } from "./ask";

const crawlers = rule("crawlers", "http.user_agent.is_crawler_bot");
const shop = rule("shop", "sdk.platform.is_ios", "allow");
const everybody = rule("everybody", "true");
const { name, ...content } = everybody;

const both = (...rules: ReturnType<typeof rule>[]): [string, unknown][] => [
  ["in state", inState(...rules)],
  ["as a program writes them", rules],
];

describe("rule-set-not-empty", () => {
  const check = (rules: unknown) => ask(ruleSetNotEmpty, { inputs: { rules } });

  it.each([
    ...both(crawlers),
    ...both(rule("off", "true", "deny", { status: "disabled" }), crawlers),
    ["not known yet", UNKNOWN],
    ["known in part", [{ ...crawlers, status: UNKNOWN }]],
  ])("passes rules %s", async (_, rules) => {
    expect(await check(rules)).toEqual([]);
  });

  it.each(both())(
    "stops a set without rules %s, even with allowEmpty",
    async (_, rules) => {
      const inputs = { rules, allowEmpty: true };
      expect(await ask(ruleSetNotEmpty, { inputs })).toEqual([
        expect.stringContaining("has no rule"),
      ]);
    },
  );

  it.each(both(rule("off", "true", "deny", { status: "disabled" })))(
    "stops rules %s that are all disabled",
    async (_, rules) => {
      expect(await check(rules)).toEqual([expect.stringContaining("disabled")]);
    },
  );
});

describe("max-rules", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => rule(`r${i}`, "false"));
  const check = (rules: unknown, config = {}) =>
    ask(maxRules, { inputs: { rules }, config });

  it.each(both(...many(15)))("passes 15 rules %s", async (_, rules) => {
    expect(await check(rules)).toEqual([]);
  });

  it.each(both(...many(16)))("stops 16 rules %s", async (_, rules) => {
    expect(await check(rules)).toEqual([
      expect.stringContaining("has 16 rules; at most 15"),
    ]);
  });

  it("counts up to the configured number, also unknown rules", async () => {
    expect(await check([UNKNOWN, UNKNOWN], { max: 2 })).toEqual([]);
    expect(await check([UNKNOWN, UNKNOWN], { max: 1 })).toHaveLength(1);
    expect(await check(UNKNOWN, { max: 0 })).toEqual([]);
  });
});

describe("no-deny-all", () => {
  const check = (rules: unknown) => ask(noDenyAll, { inputs: { rules } });

  it.each([
    ...both(crawlers),
    ...both(shop, everybody),
    ...both({ ...everybody, status: "disabled" } as typeof everybody),
    ...both(rule("allow", "true", "allow"), everybody),
    ...both(rule("fails", "1 / 0 > 0 && [][0] == 1")),
    ["with an unknown part", [{ ...everybody, expression: UNKNOWN }]],
    ["with a mistake", [rule("typo", "tru")]],
    ["without an order", { a: { ...content, after: "b" } }],
  ])("passes rules %s (%#)", async (_, rules) => {
    expect(await check(rules)).toEqual([]);
  });

  it.each([
    ...both(everybody),
    ...both(crawlers, everybody),
    ...both(everybody, shop),
    ...both(
      rule("no allow", "false", "allow"),
      rule("all", "1 < 2 || sdk.platform.is_android"),
    ),
    ...both({ ...shop, status: "disabled" } as typeof shop, everybody),
  ])("stops rules %s (%#)", async (_, rules) => {
    expect(await check(rules)).toEqual([
      expect.stringMatching(/denies every request \(.*(everybody|all)"/),
    ]);
  });
});
