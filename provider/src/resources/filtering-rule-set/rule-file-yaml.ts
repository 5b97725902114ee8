import type { Rule } from "@devid/rules";
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
  });
  return document.toString({ lineWidth: 0 });
}

/** A rule without the fields that have their default value: `denyWith` has no other. */
export function withoutDefaults({ name, expression, action, status }: Rule) {
  const rule = { name, expression, action };
  return status === "enabled" ? rule : { ...rule, status };
}
