import { parseYaml, YamlLimitError } from "@devid/rules";
import { isMap, isScalar, isSeq } from "yaml";

/** The part of the rule file at the cursor, for completion and hover. */
export type AtCursor =
  /** In the expression of a rule; `before` is its source up to the cursor. */
  | { readonly kind: "expression"; readonly before: string }
  /** In the value of a key, or in a place without a value. */
  | { readonly kind: "value"; readonly key: string }
  | { readonly kind: "other" };

/** Finds the part of a rule file at an offset, also in a file that is not valid. */
export function atCursor(text: string, offset: number): AtCursor {
  const rules = rulesIn(text);
  for (const rule of isSeq(rules) ? rules.items : [])
    for (const { key, value } of isMap(rule) ? rule.items : []) {
      if (!isScalar(key) || !isScalar(value) || !value.range) continue;
      const [start, , end] = value.range;
      if (offset < start || offset > end) continue;
      return key.value === "expression"
        ? { kind: "expression", before: text.slice(start, offset) }
        : { kind: "value", key: String(key.value) };
    }
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [, key] =
    /(?:^|[{,])\s*(?:- )?["']?([\w-]+)["']?:\s*["']?[\w-]*$/.exec(line) ?? [];
  if (key === "expression")
    return { kind: "expression", before: line.slice(line.indexOf(":") + 1) };
  return key === undefined ? { kind: "other" } : { kind: "value", key };
}

/** The rules of a file; undefined in a file that would take too long to read. */
function rulesIn(text: string): unknown {
  try {
    return parseYaml(text).get("rules");
  } catch (error) {
    if (error instanceof YamlLimitError) return undefined;
    throw error;
  }
}
