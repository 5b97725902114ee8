import { styleText } from "node:util";
import type { ExpressionEdit } from "../../diff/expression-edits";
import { type RuleChange, type RuleStep } from "../../diff/rule-change";
import {
  describeChange,
  describeEdit,
  effectText,
  expressionLines,
} from "../describe/describe-diff";
import { plain } from "../describe/block";
import {
  columnsOf,
  padColumns,
  visibleText,
  wrap,
} from "../describe/visible-text";

/** Formats changes for a terminal, a block each, with the effect of each. */
export function changesText(
  changes: readonly RuleChange[],
  color?: boolean,
): string {
  const steps = formatSteps(changes, { color });
  return changes
    .flatMap(({ effect }, i) => [
      steps[i],
      wrap(INDENT, plain(effectText(effect))),
    ])
    .join("\n");
}

/** The sign of each kind of step, which starts its line, and its colour. */
const MARKS = {
  removed: ["-", "red"],
  disabled: ["~", "yellow"],
  edited: ["~", "yellow"],
  moved: [">", "cyan"],
  enabled: ["~", "yellow"],
  added: ["+", "green"],
} as const;

/** The indentation of every line of a block except the first. */
const INDENT = " ".repeat(6);
const WIDEST_NAME = 24;

/** How to format steps. */
export interface StepFormat {
  readonly color?: boolean;
  /**
   * Whether to show the texts of expressions below the heading of a step;
   * default true.
   */
  readonly expressions?: boolean;
  /** Columns of a line if no word is longer; default 80. */
  readonly width?: number;
}

/**
 * Formats the steps from one rule set to another for a terminal. The heading of
 * a step has its sign, its final position, the rule's name and action, and what
 * happens to it; the texts of its expressions follow.
 */
export function formatSteps(
  steps: readonly RuleStep[],
  { color = false, expressions = true, width }: StepFormat = {},
): string[] {
  const paint = ({ kind }: RuleStep, text: string) =>
    color ? styleText(MARKS[kind][1], text, { validateStream: false }) : text;
  const lengths = steps.map(({ rule }) => columnsOf(visibleText(rule.name)));
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
    MARKS[kind][0],
    String(position).padStart(3),
    padColumns(visibleText(rule.name), nameWidth),
    padColumns(visibleText(rule.action), "allow".length),
    plain(describeChange(step)),
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
  const text = plain(describeEdit(edit));
  const line = (first: string) => wrap(first, text, `${first}  `, width);
  if (edit.at === "") return [line(INDENT)];
  const place = wrap(`${INDENT}in `, visibleText(edit.at), undefined, width);
  return [...(before?.at === edit.at ? [] : [place]), line(`${INDENT}  `)];
}
