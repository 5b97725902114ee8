import type { RuleChange, RuleSetDiff, RuleSetEffect } from "../diff";
import { wrap } from "./wrap";
import { countChanges } from "./describe-change";
import { describeEffect } from "./describe-effect";
import type { DiffNames } from "./diff-names";
import { formatSteps, INDENT } from "./format-steps";
import { visibleText } from "./visible-text";

/**
 * A diff for a terminal, at most 80 columns wide where no word is longer than
 * that: what the two rule sets are called, a block for each change, and what
 * all of them do together. It ends in a line end.
 */
export function formatDiffText(
  { changes, effect }: RuleSetDiff,
  { before, after, color }: DiffNames & { readonly color?: boolean },
): string {
  const names = wrap("", visibleText(`${before} -> ${after}`), INDENT);
  if (changes.length === 0) return `${names}\n\nNo differences.\n`;
  const total = wrap("", `In total: ${effectText(effect)}.`);
  return `${[names, "", changesText(changes, color), "", `${countChanges(changes)}.`, total].join("\n")}\n`;
}

/** Changes for a terminal, a block each, with what each does. */
export function changesText(
  changes: readonly RuleChange[],
  color?: boolean,
): string {
  const steps = formatSteps(changes, { color });
  return changes
    .flatMap(({ effect }, i) => [steps[i], wrap(INDENT, effectText(effect))])
    .join("\n");
}

function effectText(effect: RuleSetEffect): string {
  return describeEffect(effect)
    .map(({ text, example }) => (example ? `${text}, e.g. ${example}` : text))
    .join("; ");
}
