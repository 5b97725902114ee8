import { styleText } from "node:util";
import type {
  ExpressionEdit,
  RuleChange,
  RuleSetDiff,
  RuleSetEffect,
} from "..";
import { wrap } from "../../wrap";
import { countChanges, describeChange, SIGNS } from "./describe-change";
import { describeEdit, expressionLines } from "./describe-edit";
import { describeEffect } from "./describe-effect";
import type { DiffNames } from "./diff-names";
import { visibleText } from "./visible-text";

const COLORS = {
  removed: "red",
  disabled: "yellow",
  edited: "yellow",
  moved: "cyan",
  enabled: "yellow",
  added: "green",
} as const;

const INDENT = " ".repeat(6);
const WIDEST_NAME = 24;

/**
 * A diff for a terminal, at most 80 columns wide where no word is longer than
 * that: what the two rule sets are called, a block for each change, and what
 * all of them do together. It ends in a line end.
 */
export function formatDiffText(
  { changes, effect }: RuleSetDiff,
  { before, after, color = false }: DiffNames & { readonly color?: boolean },
): string {
  const names = wrap("", visibleText(`${before} -> ${after}`), INDENT);
  if (changes.length === 0) return `${names}\n\nNo differences.\n`;
  const paint = ({ kind }: RuleChange, text: string) =>
    color ? styleText(COLORS[kind], text, { validateStream: false }) : text;
  const lengths = changes.map(({ rule }) => visibleText(rule.name).length);
  const nameWidth = Math.min(Math.max(...lengths), WIDEST_NAME);
  const blocks = changes.map((change) =>
    [
      paint(change, heading(change, nameWidth)),
      ...details(change),
      wrap(INDENT, effectText(change.effect)),
    ].join("\n"),
  );
  const total = wrap("", `In total: ${effectText(effect)}.`);
  return `${[names, "", ...blocks, "", `${countChanges(changes)}.`, total].join("\n")}\n`;
}

function heading(change: RuleChange, nameWidth: number): string {
  const { kind, rule, position = "" } = change;
  const columns = [
    SIGNS[kind],
    String(position).padStart(3),
    visibleText(rule.name).padEnd(nameWidth),
    visibleText(rule.action).padEnd("allow".length),
    describeChange(change, visibleText),
  ];
  return wrap("", columns.join(" "), INDENT);
}

function details(change: RuleChange): string[] {
  switch (change.kind) {
    case "added":
    case "removed":
      return expressionLines(change.rule.expression).map((line) =>
        wrap(INDENT, line, `${INDENT}  `),
      );
    case "edited":
      return (change.expression?.edits ?? []).flatMap(editLines);
    case "disabled":
    case "enabled":
    case "moved":
      return [];
  }
}

function editLines(
  edit: ExpressionEdit,
  i: number,
  all: readonly ExpressionEdit[],
): string[] {
  const { sign, code, replacement } = describeEdit(edit);
  const text =
    replacement === undefined ? `${sign} ${code}` : `${code} -> ${replacement}`;
  if (edit.at === "") return [wrap(INDENT, text, `${INDENT}  `)];
  const isSamePlace = all[i - 1]?.at === edit.at;
  return [
    ...(isSamePlace ? [] : [wrap(`${INDENT}in `, visibleText(edit.at))]),
    wrap(`${INDENT}  `, text, `${INDENT}    `),
  ];
}

function effectText(effect: RuleSetEffect): string {
  return describeEffect(effect)
    .map(({ text, example }) => (example ? `${text}, e.g. ${example}` : text))
    .join("; ");
}
