import type {
  ExpressionEdit,
  RuleChange,
  RuleSetDiff,
  RuleSetEffect,
} from "..";
import { countChanges, describeChange } from "./describe-change";
import { describeEdit, describeExpression } from "./describe-edit";
import { describeEffect } from "./describe-effect";
import type { DiffNames } from "./diff-names";
import { codeSpan } from "./code-span";

/**
 * A diff for a comment of a review: what the two rule sets are called, a table
 * of the changes, and what all of them do together. All that comes from rules
 * stands in code spans, so that it can neither end the table, nor be read as
 * markup, nor mention anybody. It ends in a line end.
 */
export function formatDiffMarkdown(
  { changes, effect }: RuleSetDiff,
  { before, after }: DiffNames,
): string {
  const names = `${codeSpan(before)} → ${codeSpan(after)}`;
  if (changes.length === 0) return `${names}\n\nNo differences.\n`;
  const rows = changes.map((change) => [
    String(change.position ?? ""),
    codeSpan(change.rule.name),
    codeSpan(change.rule.action),
    [describeChange(change, codeSpan), ...details(change)].join("<br>"),
    effectMarkdown(change.effect),
  ]);
  const table = [
    ["#", "Rule", "Action", "Change", "Effect"],
    ["--:", "---", "---", "---", "---"],
    ...rows,
  ].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
  const total = `**In total**: ${effectMarkdown(effect)}.`;
  return `${[names, "", ...table, "", `${countChanges(changes)}.`, total].join("\n")}\n`;
}

function details(change: RuleChange): string[] {
  switch (change.kind) {
    case "added":
    case "removed":
      return [codeSpan(describeExpression(change.rule.expression))];
    case "edited":
      return (change.expression?.edits ?? []).map(editMarkdown);
    case "disabled":
    case "enabled":
    case "moved":
      return [];
  }
}

function editMarkdown(edit: ExpressionEdit): string {
  const { sign, code, replacement } = describeEdit(edit);
  const place = edit.at === "" ? "" : `in ${codeSpan(edit.at)}: `;
  return replacement === undefined
    ? place + codeSpan(`${sign} ${code}`)
    : `${place}${codeSpan(code)} → ${codeSpan(replacement)}`;
}

function effectMarkdown(effect: RuleSetEffect): string {
  return describeEffect(effect)
    .map(({ text, example }) =>
      example ? `${text}, e.g. ${codeSpan(example)}` : text,
    )
    .join("; ");
}

/** In a table a bar ends the cell, in code, too. */
const cell = (markdown: string) => markdown.replaceAll("|", "\\|");
