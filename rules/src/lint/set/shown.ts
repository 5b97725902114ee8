import {
  withBrackets,
  type CheckedExpression,
  type Node,
  type RuleRequest,
} from "../../language";
import type { Condition } from "../../solver/condition";
import { applyEdits, type TextEdit } from "../../language/syntax/text-edit";
import type { LintResult } from "./lint";
import type { LintedRule, LintedSet } from "./linted-set";
import { requestThatDiffers } from "./request-that-differs";

/** The source text of a node with its brackets, which can be an operand of another node. */
export const sourceOf = (node: Node, { source }: CheckedExpression) => {
  const { offset, length } = withBrackets(node);
  return source.slice(offset, offset + length);
};

/**
 * A finding whose edit changes the rule's result for the request that shows the mistake;
 * undefined if no such request is found.
 * @param made makes the requests to try from a request that meets the rest of the rule
 * @param condition a condition for a search; without it there is no search
 */
export function shown(
  rule: LintedRule,
  set: LintedSet,
  edit: TextEdit,
  message: string,
  made?: (around: RuleRequest) => readonly RuleRequest[],
  condition?: Condition,
): (LintResult & { readonly request: RuleRequest }) | undefined {
  const { source } = rule.expression;
  const request = requestThatDiffers(
    rule,
    applyEdits(source, [edit]),
    set,
    made,
    condition,
  );
  if (!request) return undefined;
  const { offset, length, text } = edit;
  const does = rule.isMatch(request) ? "matches" : "does not match";
  return {
    message: `${message}: this rule ${does} it`,
    fix: `write ${text}`,
    edits: [{ kind: "replace", ...edit }],
    span: { offset, length },
    request,
  };
}

/** A finding whose edit keeps the meaning and removes a repetition. */
export const writtenOnce = (edit: TextEdit, message: string): LintResult => ({
  message,
  fix: `write ${edit.text}`,
  edits: [{ kind: "replace", ...edit }],
  span: { offset: edit.offset, length: edit.length },
  removes: true,
});
