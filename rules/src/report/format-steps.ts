import { styleText } from "node:util";
import type { ExpressionEdit, RuleStep } from "../diff";
import { wrap } from "./wrap";
import { describeChange, SIGNS } from "./describe-change";
import { describeEdit, expressionLines } from "./describe-edit";
import { visibleText } from "./visible-text";

const COLORS = {
  removed: "red",
  disabled: "yellow",
  edited: "yellow",
  moved: "cyan",
  enabled: "yellow",
  added: "green",
} as const;

/** What stands before the lines of a block that follow its first. */
export const INDENT = " ".repeat(6);
const WIDEST_NAME = 24;

/** How steps are shown. */
export interface StepFormat {
  readonly color?: boolean;
  /** Without the texts of expressions a step is its heading alone; true by default. */
  readonly expressions?: boolean;
  /** Columns of a line where no word is longer; 80 by default. */
  readonly width?: number;
}

/**
 * Steps from one rule set to another for a terminal, a block each: its sign, its
 * place in the end, the rule's name and action and what happens to it, and below
 * that what is in an expression.
 */
export function formatSteps(
  steps: readonly RuleStep[],
  { color = false, expressions = true, width }: StepFormat = {},
): string[] {
  const paint = ({ kind }: RuleStep, text: string) =>
    color ? styleText(COLORS[kind], text, { validateStream: false }) : text;
  const lengths = steps.map(({ rule }) => visibleText(rule.name).length);
  const nameWidth = Math.min(Math.max(...lengths), WIDEST_NAME);
  return steps.map((step) =>
    [
      paint(step, heading(step, nameWidth, width)),
      ...(expressions ? details(step, width) : []),
    ].join("\n"),
  );
}

function heading(step: RuleStep, nameWidth: number, width?: number): string {
  const { kind, rule, position = "" } = step;
  const columns = [
    SIGNS[kind],
    String(position).padStart(3),
    visibleText(rule.name).padEnd(nameWidth),
    visibleText(rule.action).padEnd("allow".length),
    describeChange(step, visibleText),
  ];
  return wrap("", columns.join(" "), INDENT, width);
}

function details(step: RuleStep, width?: number): string[] {
  switch (step.kind) {
    case "added":
    case "removed":
      return expressionLines(step.rule.expression).map((line) =>
        wrap(INDENT, line, `${INDENT}  `, width),
      );
    case "edited":
      return (step.expression?.edits ?? []).flatMap((edit, i, all) =>
        editLines(edit, all[i - 1], width),
      );
    case "disabled":
    case "enabled":
    case "moved":
      return [];
  }
}

function editLines(
  edit: ExpressionEdit,
  before: ExpressionEdit | undefined,
  width?: number,
): string[] {
  const { sign, code, replacement } = describeEdit(edit);
  const text =
    replacement === undefined ? `${sign} ${code}` : `${code} -> ${replacement}`;
  const line = (first: string) => wrap(first, text, `${first}  `, width);
  if (edit.at === "") return [line(INDENT)];
  const place = wrap(`${INDENT}in `, visibleText(edit.at), undefined, width);
  return [...(before?.at === edit.at ? [] : [place]), line(`${INDENT}  `)];
}
