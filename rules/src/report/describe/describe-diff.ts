import { assertNever } from "../../assert-never";
import { describeEffect } from "../../diff/describe-effect";
import type { RuleSetEffect } from "../../diff/effects";
import type { ExpressionEdit } from "../../diff/expression-edits";
import type { RuleChange, RuleStep } from "../../diff/rule-change";
import {
  formatExpression,
  parseExpression,
  printExpression,
} from "../../language";
import { describeRequest } from "./describe-request";
import { code, type Block, type Prose, type Table } from "./block";
import { visibleText } from "./visible-text";

/** The names of the two rule sets of a diff. */
export interface DiffNames {
  readonly before: string;
  readonly after: string;
}

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

/** Changes as a table, for Markdown and HTML. */
export const changesTable = ({
  changes,
  maxEdits = Infinity,
}: Extract<Block, { kind: "changes" }>): Table => ({
  kind: "table",
  name: "changes",
  columns: [
    { name: "#", isNumber: true },
    ...["Rule", "Action", "Change", "Effect"].map((name) => ({ name })),
  ],
  rows: changes.map((change) => cellsOf(change, maxEdits)),
  noun: "changes",
});

function cellsOf(change: RuleChange, maxEdits: number): Prose[] {
  const details = detailsOf(change);
  const rest = details.length - maxEdits;
  const shown = details.slice(0, maxEdits);
  if (rest > 0) shown.push(`and ${rest} more edits`);
  return [
    String(change.position ?? ""),
    code(change.rule.name),
    code(change.rule.action),
    [describeChange(change), ...shown].join("\n"),
    effectText(change.effect),
  ];
}

function detailsOf(change: RuleChange): Prose[] {
  if (change.kind === "added" || change.kind === "removed")
    return [code(describeExpression(change.rule.expression))];
  const edits = change.kind === "edited" ? change.expression?.edits : undefined;
  return (edits ?? []).map((edit) => {
    const place = edit.at === "" ? "" : `in ${code(edit.at)}: `;
    return place + describeEdit(edit);
  });
}
