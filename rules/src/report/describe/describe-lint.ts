import { stringify } from "yaml";
import type { RuleRequest } from "../../language";
import { applyEdits } from "../../language/syntax/text-edit";
import { lintRules, type LintFinding } from "../../lint/lint-rules";
import type { ExampleRule, Lint } from "../../lint/set/lint";
import { compileRuleSet } from "../../rule-set/evaluate-rule-set";
import type { Rule } from "../../rule-set/rule";

/** A lint with its example, for `devid rules explain` and docs/lint.md. */
export interface DescribedLint extends Pick<
  Lint,
  "code" | "severity" | "doc" | "detail" | "facts"
> {
  /** A rule file in which it finds something. */
  readonly found: string;
  /** The finding in the rule file. */
  readonly finding: Pick<LintFinding, "rule" | "message" | "fix" | "request">;
  /** Why the finding is true. */
  readonly proof: string;
  /** The same rule file, corrected. */
  readonly fixed: string;
}

/** Describes a lint by its example, which is linted and evaluated. */
export function describeLint(lint: Lint): DescribedLint {
  const { code, severity, doc, detail, facts, example } = lint;
  const found = example.map(asRule);
  const finding = lintRules(found).find((one) => one.code === code);
  if (!finding) throw new Error(`${code} is not found in its own example.`);
  const { rule, message, fix, request } = finding;
  const fixed = lint.fixed ?? edited(example, finding);
  return {
    code,
    severity,
    doc,
    detail,
    facts,
    found: ruleFile(example),
    finding: { rule, message, fix, request },
    proof: proofOf(found, fixed.map(asRule), request),
    fixed: ruleFile(fixed),
  };
}

/** The rules with the edits of a finding, which change one expression. */
function edited(
  rules: readonly ExampleRule[],
  { index, edits = [] }: LintFinding,
): ExampleRule[] {
  const ofText = edits.filter((edit) => edit.kind === "replace");
  return rules.map((rule, i) =>
    i === index
      ? { ...rule, expression: applyEdits(rule.expression, ofText) }
      : rule,
  );
}

function proofOf(
  found: readonly Rule[],
  fixed: readonly Rule[],
  request: RuleRequest | undefined,
): string {
  if (request === undefined) return "This holds for every request.";
  const before = decision(found, request, "this request");
  return before === decision(fixed, request, "this request")
    ? capitalized(`${before}.`)
    : `${capitalized(before)}. With the fix, ${decision(fixed, request, "it")}.`;
}

const asRule = (rule: ExampleRule): Rule => ({ status: "enabled", ...rule });

const capitalized = (text: string) =>
  text.replace(/^[a-z]/, (first) => first.toUpperCase());

/**
 * The decision of a rule set about a request, and the rule that decides, as a sentence
 * without its end. `it` stands for the request.
 */
function decision(
  rules: readonly Rule[],
  request: RuleRequest,
  it: string,
): string {
  const compiled = compileRuleSet(rules);
  if (!compiled.ok) throw new Error("An example has a mistake.");
  const { result, decidedBy } = compiled.evaluate(request);
  return decidedBy
    ? `"${decidedBy.name}" ${result === "deny" ? "denies" : "allows"} ${it}`
    : `no rule matches ${it}, so it gets through`;
}

const MAX_SHOWN = 4;

/** The rules of an example as a rule file; of a long list only the first. */
function ruleFile(rules: readonly ExampleRule[]): string {
  const shown =
    rules.length > MAX_SHOWN ? rules.slice(0, MAX_SHOWN - 1) : rules;
  const left = rules.length - shown.length;
  const text = stringify({ rules: shown }, { lineWidth: 0 })
    // A rule file takes it without quotes.
    .replaceAll('expression: "true"', "expression: true");
  return left > 0 ? `${text}  # and ${left} more\n` : text;
}
