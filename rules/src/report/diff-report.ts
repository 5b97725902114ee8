import { countChanges, type RuleSetDiff } from "../diff/rule-change";
import { code, text, type Block } from "./describe/block";
import { effectText, type DiffNames } from "./describe/describe-diff";
import { printMarkdown } from "./print-markdown";
import { printText } from "./print-text";

/** The report of a diff: the names of the two rule sets, the changes, and their combined effect. */
export function diffBlocks(
  { changes, effect }: RuleSetDiff,
  { before, after }: DiffNames,
): Block[] {
  const names = text(`${code(before)} -> ${code(after)}`);
  if (changes.length === 0) return [...names, ...text("No differences.")];
  return [
    ...names,
    { kind: "changes", changes },
    ...text(`${countChanges(changes)}. In total: ${effectText(effect)}.`),
  ];
}

/** Formats a diff for a terminal. */
export const formatDiffText = (
  diff: RuleSetDiff,
  { color, ...names }: DiffNames & { readonly color?: boolean },
): string => printText(diffBlocks(diff, names), { color });

/** Formats a diff for a review comment. Texts of rules are code, so that they cannot act as markup. */
export const formatDiffMarkdown = (
  diff: RuleSetDiff,
  names: DiffNames,
): string => printMarkdown(diffBlocks(diff, names));
