import { assertNever } from "../../assert-never";
import { describeEffect } from "../../diff/describe-effect";
import type { RuleSetEffect } from "../../diff/effects";
import type { ExpressionEdit } from "../../diff/expression-edits";
import type { RuleStep } from "../../diff/rule-change";
import {
  formatExpression,
  parseExpression,
  printExpression,
} from "../../language";
import type { DiffOnEvents, TouchedEvents } from "../../diff/diff-on-events";
import { count, describeRange, grouped } from "./numbers";
import { describeRequest } from "./describe-request";
import { code, type Prose } from "./block";
import { visibleText } from "./visible-text";

/** The names of the two rule sets of a diff. */
export interface DiffNames {
  readonly before: string;
  readonly after: string;
  /** How many past events each change decides differently, and the environment of these events. */
  readonly onEvents?: DiffOnEvents & { readonly environment: string };
}

/** For example `12 past events newly denied, 0 newly allowed`. */
export const touchedText = ({
  newlyDenied,
  newlyAllowed,
  cannotTell,
}: TouchedEvents): string =>
  [
    `${count(newlyDenied, "past event")} newly denied`,
    `${grouped(newlyAllowed)} newly allowed`,
    ...(cannotTell > 0 ? [`${grouped(cannotTell)} undetermined`] : []),
  ].join(", ");

/** What all changes do to past events, in a sentence. */
export const touchedSentence = ({
  events,
  range,
  total,
  environment,
  unreadable = 0,
}: NonNullable<DiffNames["onEvents"]>): Prose =>
  [
    `Of ${count(events, "event")} ${describeRange(range)} of ${code(environment)}: ${touchedText(total)}.`,
    ...(unreadable === 0
      ? []
      : [
          `${count(unreadable, "row")} could not be read, which devid rules impact describes.`,
        ]),
  ].join(" ");

/** The sign of each kind of change, which starts its line. */
export const STEP_SIGNS: Readonly<Record<RuleStep["kind"], string>> = {
  removed: "-",
  disabled: "~",
  edited: "~",
  moved: ">",
  enabled: "~",
  added: "+",
};

/** Describes what happens to a rule, without the texts of expressions. */
export function describeChange(change: RuleStep): Prose {
  switch (change.kind) {
    case "removed":
    case "enabled":
      return change.kind;
    case "disabled": {
      // The service may know a status that this version does not know.
      const status: string = change.rule.status;
      return status === "disabled" ? status : `status ${code(status)}`;
    }
    case "moved":
      return `moved ${change.after === "" ? "to the front" : `after ${code(change.after)}`}`;
    case "added":
      return `added ${change.after === "" ? "at the front" : `after ${code(change.after)}`}`;
    case "edited": {
      const { expression, action, denyWith } = change;
      return [
        expression && "expression edited",
        action && `action ${code(action.before)} -> ${code(action.after)}`,
        denyWith &&
          `denyWith ${code(denyWith.before)} -> ${code(denyWith.after)}`,
      ]
        .filter(Boolean)
        .join(", ");
    }
    default:
      return assertNever(change);
  }
}

/** An expression on one line; if it does not parse, it stays as it was written. */
export function describeExpression(text: string): string {
  const parsed = parseExpression(text);
  return visibleText(
    parsed.ok ? printExpression(parsed.expression.root) : text,
  );
}

/** An expression on one line, or on several if it is long. */
export function expressionLines(text: string): string[] {
  const line = describeExpression(text);
  const formatted = formatExpression(line);
  return typeof formatted === "string" ? formatted.split("\n") : [line];
}

const EDIT_SIGNS = { added: "+", removed: "-", moved: ">" } as const;

/** An edit of an expression. */
export function describeEdit(edit: ExpressionEdit): Prose {
  if (edit.kind === "replaced")
    return `${code(edit.before)} -> ${code(edit.after)}`;
  const operator = edit.operator ? `${edit.operator} ` : "";
  return code(`${EDIT_SIGNS[edit.kind]} ${operator}${edit.text}`);
}

/** An effect in words, with examples. */
export const effectText = (effect: RuleSetEffect): Prose =>
  describeEffect(effect)
    .map(({ text, request }) =>
      request ? `${text}, e.g. ${code(describeRequest(request))}` : text,
    )
    .join("; ");
