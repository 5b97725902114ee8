import {
  applyEdits,
  checkExpression,
  checkRuleFile,
  compileRuleSet,
  LINTS,
  lintRules,
  parseRuleFile,
  type LintFinding,
  type Rule,
  type RuleRequest,
} from "@devid/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { checked, resultFor } from "../language/checked";
import { documented, supported } from "../language/random-expression";
import { request } from "../language/random-request";
import { isPossible } from "../solver/is-possible";
import { rulesOf } from "./rules";

/** Requests that every fix is tried with; some have headers without a value. */
const REQUESTS = fc.sample(request.filter(isPossible), {
  numRuns: 60,
  seed: 15,
});

/** The text behind the last `write` in a fix. */
const written = (fix: string) =>
  /.*(?:^|; .*?, )write (.*?)(?:, or .*)?$/.exec(fix)?.[1];

/** Whether a fix offers two texts. */
const offersTwo = (fix: string) => fix.startsWith("to change no decision");

/** The text of a fix that keeps every decision. If the fix offers two, the first. */
const writtenIfNot = (fix: string) =>
  /^(?:to change no decision, )?write (.*?)(?:; if it should .*)?$/.exec(
    fix,
  )?.[1];

/** Lints whose example has no edits, because a person has to choose. */
const CHOSEN_BY_PEOPLE = [
  "all-disabled",
  "nested-quantifiers",
  "too-many-rules",
];

/** The decision about each request, with the answer to denied requests. */
function decisionsOf(rules: readonly Rule[], requests: readonly RuleRequest[]) {
  const compiled = compileRuleSet(rules);
  if (!compiled.ok) throw new Error("a rule is wrong");
  return requests.map((one) => {
    const { result, decidedBy } = compiled.evaluate(one);
    return result === "deny"
      ? `deny ${decidedBy?.denyWith ?? "Forbidden"}`
      : result;
  });
}

/**
 * Expects that what a finding says about a failing rule is true, for the request shown
 * and for both fixes offered.
 */
function expectFailingToMatter(
  rules: readonly Rule[],
  { index, fix, request: shown }: LintFinding,
): void {
  const rule = rules[index];
  if (!rule || !shown) throw new Error("there is nothing to show");
  const before = checked(rule.expression);
  expect(resultFor(before, shown)).toBe("fails");
  const enabled = rules.with(index, { ...rule, status: "enabled" });
  const other = rule.action === "deny" ? "allow" : "deny";
  expect(decisionsOf(enabled, [shown])[0]).toMatch(other);
  const text = writtenIfNot(fix);
  const kept = text === undefined ? undefined : checked(text);
  if (kept)
    for (const one of [...REQUESTS, shown])
      expect([text, one, resultFor(kept, one) === true]).toEqual([
        text,
        one,
        resultFor(before, one) === true,
      ]);
  if (!offersTwo(fix)) return;
  const filled = checked(written(fix) ?? "");
  expect(resultFor(filled, shown)).toBe(true);
  const mended = enabled.with(index, {
    ...rule,
    status: "enabled",
    expression: filled.source,
  });
  expect(decisionsOf(mended, [shown])[0]).toMatch(rule.action);
  expect(lintRules(mended).map(({ code }) => code)).not.toContain("deny-all");
  for (const one of [...REQUESTS, shown]) {
    const said = resultFor(before, one);
    // Where nothing failed before, the result is the same.
    const isSame = said === "fails" || resultFor(filled, one) === said;
    expect([filled.source, one, isSame]).toEqual([filled.source, one, true]);
  }
}

/** A file with these rules. */
const fileOf = (rules: readonly Rule[]) =>
  stringify({
    rules: rules.map(({ denyWith: _, ...rule }) => rule),
  });

/** Expects that the edits of each finding change decisions only as the finding says. */
function checkEdits(rules: readonly Rule[]): void {
  const text = fileOf(rules);
  const before = decisionsOf(rules, REQUESTS);
  for (const finding of checkRuleFile(text, "rules.yaml")) {
    const { code, edits, keepsMeaning, changes } = finding;
    if (!edits) continue;
    edited.add(code);
    const after = decisionsOf(
      parseRuleFile(applyEdits(text, edits), "rules.yaml"),
      REQUESTS,
    );
    const denied = after.filter(
      (one, i) => one !== "allow" && one !== before[i],
    );
    const allowed = after.filter(
      (one, i) => one === "allow" && one !== before[i],
    );
    const said = [code, edits, changes];
    if (keepsMeaning || changes?.includes("denies nothing new"))
      expect([...said, denied]).toEqual([...said, []]);
    if (keepsMeaning || changes?.includes("lets nothing new through"))
      expect([...said, allowed]).toEqual([...said, []]);
  }
}

/** Expects that an edit changes the result for the request that the finding shows. */
function expectShown(before: string, { edits, request }: LintFinding): void {
  const replaced = edits?.filter((edit) => edit.kind === "replace") ?? [];
  if (!request || replaced.length === 0) return;
  const after = checked(applyEdits(before, replaced));
  const [was, is] = [checked(before), after].map(
    (expression) => resultFor(expression, request) === true,
  );
  expect([before, after.source, request, is]).toEqual([
    before,
    after.source,
    request,
    !was,
  ]);
}

const edited = new Set<string>();

function checkFixes(rules: readonly Rule[]): void {
  for (const finding of lintRules(rules)) {
    const { code, index } = finding;
    const before = rules[index]?.expression ?? "";
    if (code === "may-fail") expectFailingToMatter(rules, finding);
    else expectShown(before, finding);
  }
  checkEdits(rules);
}

const network = fc.constantFrom(
  "10.0.0.0/8",
  "10.1.0.0/16",
  "10.1.2.3/24",
  "203.0.113.0/24",
  "0.0.0.0/0",
  "2001:db8::/32",
);
const networkTest = fc
  .tuple(network, fc.constantFrom("in", "not in"))
  .map(([text, operator]) => `http.request.ip ${operator} cidr('${text}')`);
const headerTest = fc
  .tuple(
    fc.constantFrom("X-A", "x-b", "Origin"),
    fc.constantFrom("0", "1", "-1"),
    fc.constantFrom("==", "!=", "matches"),
    fc.constantFrom("'a'", "'https://shop.example'"),
  )
  .map(
    ([name, index, operator, text]) =>
      `http.request.headers['${name}'][${index}] ${operator} ${text}`,
  );
const sent = fc
  .constantFrom("X-A", "X-B", "Origin")
  .map((name) => `'${name}' in http.request.headers`);
const usual = fc.constantFrom(
  "sdk.platform.is_ios",
  "sdk.version matches '^4'",
  "http.user_agent.string matches '^Mozilla'",
  "http.user_agent.is_ai_bot",
  "sdk.platform.name == 'ios' || sdk.platform.name != 'ios'",
  "true",
  "((http.request.headers['X-A'] ?? nil) != nil) ?? false",
  "(sdk.version ?? 'a') matches '^4'",
);
const atom = fc.oneof(
  { weight: 4, arbitrary: networkTest },
  { weight: 3, arbitrary: headerTest },
  sent,
  usual,
  documented.map((text) => `(${text}\n)`),
  supported.map((text) => `(${text}\n)`),
);
const chain = fc
  .tuple(
    fc.array(atom, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(" || ", " && "),
    fc.boolean(),
  )
  .map(([atoms, operator, isNegated]) =>
    isNegated ? `!(${atoms.join(operator)})` : atoms.join(operator),
  );
const condition = fc
  .oneof(chain, documented, supported)
  .filter((source) => checkExpression(source).ok);
const rules: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({
      expression: condition,
      action: fc.constantFrom(
        "deny" as const,
        "deny" as const,
        "allow" as const,
      ),
      status: fc.constantFrom(
        "enabled" as const,
        "enabled" as const,
        "disabled" as const,
      ),
      isRepeated: fc.nat(9).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((made) =>
    made.map(({ isRepeated, ...rule }, i) => ({
      name: `rule-${i}`,
      ...rule,
      expression: (isRepeated && made[0]?.expression) || rule.expression,
      denyWith: undefined,
    })),
  );

it("the fix of a finding keeps the decision about every request unless it says otherwise", () => {
  fc.assert(fc.property(rules, checkFixes), { numRuns: 500 });
  // test/rules/lint/mistakes.test.ts tests the edits of the texts' lints.
  expect(edited.size).toBeGreaterThanOrEqual(9);
}, 180_000);

it.each(LINTS.map((lint) => [lint.code, lint] as const))(
  "the edits of a lint's example remove the finding and add no other: %s",
  (code, { example }) => {
    const text = fileOf(
      example.map((rule) => ({
        status: "enabled" as const,
        denyWith: undefined,
        ...rule,
      })),
    );
    const before = checkRuleFile(text, "rules.yaml");
    const edits = before.find((finding) => finding.code === code)?.edits;
    if (!edits) {
      expect(CHOSEN_BY_PEOPLE).toContain(code);
      return;
    }
    const after = checkRuleFile(applyEdits(text, edits), "rules.yaml");
    const codes = before.map((finding) => finding.code);
    expect(
      after.filter(
        (finding) => finding.code === code || !codes.includes(finding.code),
      ),
    ).toEqual([]);
  },
);

describe("repeated", () => {
  const [wide, narrow] = ["10.0.0.0/8", "10.1.0.0/16"].map(
    (text) => `http.request.ip in cidr('${text}')`,
  ) as [string, string];
  const header = "http.request.headers['X-A'][0] == 'a'";
  const not = (test: string) => test.replace(" in ", " not in ");
  const said = (expression: string) =>
    lintRules(rulesOf(`deny ${expression}`))
      .map(({ code }) => code)
      .filter((code) => code === "repeated");

  it("is not reported for what can fail between the two", () => {
    expect(said(`${narrow} || ${header} || ${wide}`)).toEqual([]);
  });

  it.each([
    ["what can fail behind both", `${narrow} || ${wide} || ${header}`],
    [
      "what can fail between two networks that are excluded",
      `${not(narrow)} && ${header} && ${not(wide)}`,
    ],
    ["what can fail behind the wider one", `${wide} || ${header} || ${narrow}`],
  ])("is reported for %s", (_, expression) => {
    expect(said(expression)).toEqual(["repeated"]);
  });
});
