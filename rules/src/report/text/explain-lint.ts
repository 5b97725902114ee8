import { stringify } from "yaml";
import { visibleText } from "../describe/visible-text";
import { lintRules } from "../../lint/lint-rules";
import { LINTS } from "../../lint/lints";
import type { Lint } from "../../lint/set/lint";

/**
 * Explains a lint to people: what it finds, why that matters, an example, what is said
 * of it, and the example corrected. Undefined if there is no lint of the code.
 */
export function explainLint(code: string): string | undefined {
  const lint = LINTS.find((one) => one.code === code);
  if (!lint) return undefined;
  const { severity, doc, detail, example } = lint;
  const { found, fixed } = example;
  const finding = lintRules(
    found.map((rule) => ({ ...rule, status: "enabled" })),
  ).find((one) => one.code === code);
  return [
    `${severity} ${code}: ${doc}`,
    ...(detail === undefined ? [] : [detail]),
    `Found in\n\n${rulesText(found)}`,
    ...(finding === undefined
      ? []
      : [visibleText(`rule "${finding.rule}": ${finding.message}`)]),
    `Corrected\n\n${rulesText(fixed)}`,
    `To allow it in a rule: # devid-allow ${code}: the reason`,
    "",
  ].join("\n\n");
}

const rulesText = (rules: Lint["example"]["found"]) =>
  stringify({ rules }, { lineWidth: 0 }).trimEnd().replaceAll(/^/gm, "  ");
