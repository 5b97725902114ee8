import { UsageCounter } from "@devid/review/replay";
import { eventAsRuleRequest } from "@devid/rules/language";
import {
  applyEdits,
  checkRuleFile,
  diffRules,
  explainRules,
  fixRuleFile,
  formatRuleFile,
  LINTS,
  lintRules,
  openRuleFile,
  RuleFileError,
  ruleFileYaml,
  type Rule,
} from "@devid/rules";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { CHECK_FAILED } from "../../../rules/src/lint/lint-rules";
import { hostileRules } from "./hostile-rules";
import { rulesOf } from "./rules";

const LIMIT = { withinMs: 150 };

/** The rules of a file; undefined for one with a mistake. */
function rulesIn(text: string): readonly Rule[] | undefined {
  try {
    return openRuleFile(text, "rules.yaml").rules;
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}

/** What each expression was, to be found in the message of a failed property. */
const shown = (rules: readonly Rule[]) =>
  rules.map(({ expression }) => expression).join("\n\n");

it("no expression makes a command end in an error of its own", async () => {
  let edited = 0;
  let valid = 0;
  await fc.assert(
    fc.asyncProperty(hostileRules, async (rules) => {
      const text = ruleFileYaml(rules);
      const findings = checkRuleFile(text, "rules.yaml", LIMIT);
      const failed = findings.filter(({ code }) => code === CHECK_FAILED);
      expect(failed, shown(rules)).toEqual([]);
      for (const { code, edits } of findings) {
        if (!edits) continue;
        const after = applyEdits(text, edits);
        expect(rulesIn(after), `${code}: ${shown(rules)}`).toBeDefined();
        edited++;
      }
      const { text: fixed } = await fixRuleFile(text, "rules.yaml", {
        ...LIMIT,
        accepts: () => true,
      });
      const now = rulesIn(fixed);
      expect(now === undefined).toBe(rulesIn(text) === undefined);
      explainRules(rules, { headers: {} });
      if (!now) return;
      diffRules(rules, now, LIMIT);
      const counter = new UsageCounter({ rules, start: 0, end: 10 });
      const request = eventAsRuleRequest({});
      counter.add({ request, events: 1, first: 1, last: 1 });
      counter.usage();
      if (findings.some(({ code }) => code.startsWith("invalid"))) return;
      valid++;
      const written = formatRuleFile(openRuleFile(fixed, "rules.yaml"));
      const again = formatRuleFile(openRuleFile(written, "rules.yaml"));
      expect(again, shown(rules)).toBe(written);
    }),
    { numRuns: 30 },
  );
  expect(Math.min(edited, valid)).toBeGreaterThan(10);
}, 120_000);

it.each([
  "http.request.headers.user_agent[0] == 'x'",
  "http.request.headers.Etag[0] == 'x'",
  "(sdk.platform.is_ios || sdk.platform.is_android) ? http.user_agent.is_ai_bot : http.user_agent.is_ai_bot",
  "http.user_agent.string contains '&#9999999;'",
  "http.user_agent.string contains '&#ff;'",
  "http.user_agent.string contains '\\\\x{110000}.*'",
])("%s is checked like any other expression", (expression) => {
  const codes = lintRules(rulesOf(`deny ${expression}`)).map(
    ({ code }) => code,
  );
  expect(codes).not.toContain(CHECK_FAILED);
});

it.each([
  "http.request.headers['Origin'][0]",
  "(http.request.headers['Origin'] ?? [])[0]",
  "((http.request.headers['Origin'] ?? []))[0]",
])("%s is the same part of a request in brackets", (part) => {
  const rules = rulesOf(`allow ${part} contains 'shop.example'`, "deny true");
  expect(lintRules(rules).map((finding) => finding.code)).toContain(
    "matches-others",
  );
});

it("a check that fails costs its own finding, and says so", () => {
  const rules = rulesOf("deny sdk.platform.is_ios", "deny sdk.platform.is_ios");
  const broken = LINTS.find(({ code }) => code === "plain-regex");
  if (!broken) throw new Error("there is no such lint");
  vi.spyOn(broken, "find").mockImplementation(() => {
    throw new TypeError("no such thing");
  });
  const findings = lintRules(rules);
  expect(findings.map(({ code, index }) => [code, index])).toEqual([
    [CHECK_FAILED, 0],
    ["unreachable", 1],
    [CHECK_FAILED, 1],
  ]);
  expect(findings[0]?.message).toContain("the check plain-regex failed");
});
