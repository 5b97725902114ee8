import type { Rule } from "@devid/rules";
import { expect, it } from "vitest";
import { describeRuleChanges } from "../../../../provider/src/resources/filtering-rule-set/describe-rule-changes";
import { expectGolden } from "../../../helpers/golden";

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  expression: `http.request.headers['X-Token'][0] == 'token of ${name}'`,
  action: "deny",
  status: "enabled",
  denyWith: "Forbidden",
  ...more,
});
const describe = (before: readonly Rule[], after: readonly Rule[]) =>
  describeRuleChanges("ae_1", before, after);
const BEFORE = [
  rule("block-crawlers", { expression: "http.user_agent.is_crawler_bot" }),
  rule("allow-our-shop", { action: "allow", denyWith: undefined }),
  rule("block-partner"),
  rule("block-tor"),
  rule("block-a-range-of-addresses-of-a-hosting-company"),
];

it("describes every kind of change within the columns that the engine leaves", () => {
  const [crawlers, shop, partner, tor, long] = BEFORE;
  const text = describe(BEFORE, [
    { ...tor, status: "disabled" } as Rule,
    { ...crawlers, action: "allow", denyWith: undefined } as Rule,
    rule("block-x"),
    { ...partner, expression: "sdk.platform.is_browser" } as Rule,
    { ...shop, status: "disabled" } as Rule,
  ]);
  expectGolden("rule-set/every-change.txt", `${text}\n`);
  expect(long?.name.length).toBeGreaterThan(40);
  for (const line of text?.split("\n") ?? [])
    expect(line.length).toBeLessThanOrEqual(76);
});

it("is empty when nothing changes", () => {
  expect(describe(BEFORE, BEFORE)).toBeUndefined();
  const respelt = BEFORE.map(({ expression, ...rest }) => ({
    ...rest,
    expression: expression.replace("==", " ==  "),
  }));
  expect(describe(BEFORE, respelt)).toBeUndefined();
});

it("shows no text of an expression, neither in a line nor in an example", () => {
  const after = BEFORE.map((one) => ({
    ...one,
    expression: one.expression.replace("token of", "new token of"),
  }));
  const text = describe(BEFORE, after);
  expect(text).toContain("expression edited");
  expect(text).not.toContain("token");
  expect(text).not.toContain("X-Token");
});

it("is also returned for rules that are too complex to analyse", () => {
  const hard = (name: string, size: number) => {
    const parts = Array.from(
      { length: size },
      (_, i) =>
        `(http.user_agent.string matches '(?i)${name}.*b${i}[0-9]+' || !(http.request.headers['X-${i}'][0] contains '${name}'))`,
    );
    return rule(name, { expression: parts.join(" && ") });
  };
  const names = Array.from({ length: 60 }, (_, i) => `rule ${i}`);
  const text = describe(
    names.map((name) => hard(name, 12)),
    names.map((name) => hard(name, 13)),
  );
  expect(text).toContain("60 changes: 60 edited.");
});

it("describes the first of very many changes, and counts the others", () => {
  const many = Array.from({ length: 500 }, (_, i) => rule(`rule ${i}`));
  const text = describe([], many) ?? "";
  expect(text).toContain("+   1 rule 0   deny  added at the front\n");
  expect(text).toMatch(/\n {6}and \d+ more; see devid rules diff\n500 changes/);
  expect(text.length).toBeLessThan(9_000);
});
