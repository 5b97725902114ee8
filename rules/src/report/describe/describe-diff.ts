import { assertNever } from "../../assert-never";
import type { RuleSetEffect } from "../../diff/effects";
import type { ExpressionEdit } from "../../diff/expression-edits";
import type { RuleStep } from "../../diff/rule-change";
import {
  formatExpression,
  parseExpression,
  printExpression,
} from "../../language";
import type { FoundRequest } from "../../solver/find-request";
import { describeRequest } from "./describe-request";
import { visibleText } from "./visible-text";

/** What the two rule sets of a diff are called. */
export interface DiffNames {
  readonly before: string;
  readonly after: string;
}

/** The signs of changes, as they stand at the start of a line. */
export const STEP_SIGNS: Readonly<Record<RuleStep["kind"], string>> = {
  removed: "-",
  disabled: "~",
  edited: "~",
  moved: ">",
  enabled: "~",
  added: "+",
};

/** What happens to a rule, without the texts of expressions; what rules hold goes through `quote`. */
export function describeChange(
  change: RuleStep,
  quote: (text: string) => string,
): string {
  switch (change.kind) {
    case "removed":
    case "disabled":
    case "enabled":
      return change.kind;
    case "moved":
      return `moved ${change.after === "" ? "to the front" : `after ${quote(change.after)}`}`;
    case "added":
      return `added ${change.after === "" ? "at the front" : `after ${quote(change.after)}`}`;
    case "edited": {
      const { expression, action, denyWith } = change;
      return [
        expression && "expression edited",
        action && `action ${quote(action.before)} -> ${quote(action.after)}`,
        denyWith &&
          `denyWith ${quote(denyWith.before)} -> ${quote(denyWith.after)}`,
      ]
        .filter(Boolean)
        .join(", ");
    }
    default:
      return assertNever(change);
  }
}

/** An expression on one line; as it was written where it does not parse. */
export function describeExpression(text: string): string {
  const parsed = parseExpression(text);
  return visibleText(
    parsed.ok ? printExpression(parsed.expression.root) : text,
  );
}

/** The same, a long one on several lines. */
export function expressionLines(text: string): string[] {
  const line = describeExpression(text);
  const formatted = formatExpression(line);
  return typeof formatted === "string" ? formatted.split("\n") : [line];
}

const EDIT_SIGNS = { added: "+", removed: "-", moved: ">" } as const;

/** An edit in its parts: what stands before the code, the code, and what replaces that. */
export interface EditParts {
  readonly sign: string;
  readonly code: string;
  readonly replacement?: string;
}

/** How an edit of an expression reads. */
export function describeEdit(edit: ExpressionEdit): EditParts {
  if (edit.kind === "replaced")
    return {
      sign: "",
      code: visibleText(edit.before),
      replacement: visibleText(edit.after),
    };
  const operator = edit.operator ? `${edit.operator} ` : "";
  return {
    sign: EDIT_SIGNS[edit.kind],
    code: visibleText(operator + edit.text),
  };
}

/** A part of what is said about an effect, with the request that shows it. */
export interface EffectPhrase {
  readonly text: string;
  readonly example?: string;
}

/** An effect in words: one phrase, or one for each of its halves. */
export function describeEffect(effect: RuleSetEffect): EffectPhrase[] {
  const { newlyDenied, newlyAllowed } = effect;
  const answers = [newlyDenied.answer, newlyAllowed.answer];
  if (answers.every((answer) => answer === "none"))
    return [{ text: "decides no request otherwise" }];
  if (answers.every((answer) => answer === "cannot tell"))
    return [{ text: "cannot tell which requests are decided otherwise" }];
  return [
    phrase(newlyDenied, {
      found: "denies more requests",
      none: "denies nothing new",
      "cannot tell": "cannot tell whether more requests are denied",
    }),
    phrase(newlyAllowed, {
      found: "lets more requests through",
      none: "lets nothing new through",
      "cannot tell": "cannot tell whether more requests get through",
    }),
  ];
}

function phrase(
  found: FoundRequest,
  words: Readonly<Record<FoundRequest["answer"], string>>,
): EffectPhrase {
  const text = words[found.answer];
  return found.answer === "found"
    ? { text, example: describeRequest(found.request) }
    : { text };
}
