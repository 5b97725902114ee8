import type { Rule } from "../rule-set/rule";
import { Document, Scalar, visit } from "yaml";

/** The text of a rule file with these rules; fields that have their default value are left out. */
export function ruleFileYaml(rules: readonly Rule[]): string {
  const document = new Document({
    rules: rules.map(withoutDefaults),
  });
  visit(document, {
    Pair(_, pair) {
      const { key, value } = pair as { key: unknown; value: unknown };
      if (!(key instanceof Scalar) || key.value !== "expression") return;
      if (value instanceof Scalar && String(value.value).includes("\n"))
        value.type = Scalar.BLOCK_LITERAL;
    },
    Scalar(_, scalar) {
      const text = String(scalar.value);
      // A block of nothing but blanks reads as a shorter text.
      if (MUST_ESCAPE.test(text) || text.trim() === "")
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/**
 * Texts that a terminal or a CI runner reads as a command. Between double quotes, the
 * command line can print them as escapes, which YAML reads as the same text.
 */
const MUST_ESCAPE =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|^\s*::|##(?:vso|teamcity)?\[/m;

/**
 * A rule without the fields that have their default value: `denyWith` always has its
 * default value.
 */
export function withoutDefaults({ name, expression, action, status }: Rule) {
  const rule = { name, expression, action };
  return status === "enabled" ? rule : { ...rule, status };
}
