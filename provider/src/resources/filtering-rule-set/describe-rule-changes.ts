import {
  diffRules,
  countChanges,
  describeEffect,
  type Rule,
  formatSteps,
  wrap,
  type StepFormat,
  type RuleStep,
} from "@devid/rules";

/** Time limit of the search for the effect of all changes. */
const EFFECT_MS = 1_000;

/**
 * Describes for a preview what an update does to the rules of an environment: a line
 * for each change, and the effect of all changes together. `undefined` when nothing
 * changes. Expressions are not shown, because they may hold secrets.
 */
export function describeRuleChanges(
  environment: string,
  before: readonly Rule[],
  after: readonly Rule[],
): string | undefined {
  const { changes, effect } = diffRules(before, after, {
    withinMs: EFFECT_MS,
  });
  if (changes.length === 0) return undefined;
  const total = describeEffect(effect).map(({ text }) => text);
  return [
    `What an update does to the filtering rules of ${environment}:`,
    showSteps(changes, {}, { expressions: false }),
    line(`${countChanges(changes)}. In total: ${total.join("; ")}.`),
    ...(after.length === 0
      ? [
          line(
            `Environment ${environment} is left without filtering rules: every request is then allowed.`,
          ),
        ]
      : []),
  ].join("\n");
}

const line = (text: string) => wrap("", text, "", MESSAGE_WIDTH);

/** Columns: the engine indents messages by four. */
const MESSAGE_WIDTH = 76;

/** Characters: an error of about 64 KiB would not reach the engine. */
const LONGEST_LIST = 8_000;

/**
 * Steps from one rule set to another as lines of a message. Of very many only the first are
 * shown, and the number of the others; of secret rules, only the number.
 */
export function showSteps(
  steps: readonly RuleStep[],
  { isSecret = false }: { readonly isSecret?: boolean } = {},
  format: Omit<StepFormat, "width"> = {},
): string {
  if (isSecret)
    return `      ${countChanges(steps)}; not shown, because the rules are secret`;
  const blocks = formatSteps(steps, { ...format, width: MESSAGE_WIDTH });
  return firstBlocks(
    blocks,
    (left) => `      and ${left} more; see devid rules diff`,
  ).join("\n");
}

/** As many blocks as fit into a message, and a line about the others. */
export function firstBlocks(
  blocks: readonly string[],
  leftOut: (count: number) => string,
): string[] {
  let length = 0;
  const shown = blocks.filter(
    (block) => (length += block.length) <= LONGEST_LIST,
  );
  const left = blocks.length - shown.length;
  return left > 0 ? [...shown, leftOut(left)] : shown;
}
