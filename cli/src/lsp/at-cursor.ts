import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { ruleChunks } from "./rule-chunks";

/** The part of the rule file at the cursor, for completion and hover. */
export type AtCursor =
  /** In the expression of a rule; `before` is its source up to the cursor. */
  | { readonly kind: "expression"; readonly before: string }
  /** In the value of a key of a rule, or in a place without a value. */
  | { readonly kind: "value"; readonly key: string }
  | { readonly kind: "other" };

/** Finds the part of a rule file at an offset, also in a file that is not valid. */
export function atCursor(text: string, offset: number): AtCursor {
  const chunk = ruleChunks(text).findLast(
    (one) => one.offset <= offset && offset <= one.offset + one.text.length,
  );
  if (chunk) {
    const at = offset - chunk.offset;
    const { contents } = parseDocument(chunk.text);
    const rule = isSeq(contents) ? contents.get(0) : undefined;
    for (const { key, value } of isMap(rule) ? rule.items : []) {
      if (!isScalar(key) || !isScalar(value) || !value.range) continue;
      const [start, , end] = value.range;
      if (at < start || at > end) continue;
      return key.value === "expression"
        ? { kind: "expression", before: chunk.text.slice(start, at) }
        : { kind: "value", key: String(key.value) };
    }
  }
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [, key] =
    /(?:^|[{,])\s*(?:- )?["']?([\w-]+)["']?:\s*["']?[\w-]*$/.exec(line) ?? [];
  if (key === "expression")
    return { kind: "expression", before: line.slice(line.indexOf(":") + 1) };
  return key === undefined ? { kind: "other" } : { kind: "value", key };
}
