import { formatSteps, type StepFormat, type RuleStep } from "@devid/rules";

/** The engine sets messages off by four columns. */
export const MESSAGE_WIDTH = 76;

/** Characters; an error of some 64 KiB would not reach the engine. */
const LONGEST_LIST = 8_000;

/** Steps from one rule set to another as lines of a message; of very many the first, and how many more there are. */
export function showSteps(
  steps: readonly RuleStep[],
  format: Omit<StepFormat, "width"> = {},
): string {
  const blocks = formatSteps(steps, { ...format, width: MESSAGE_WIDTH });
  return firstBlocks(
    blocks,
    (left) => `      and ${left} more; see devid rules diff`,
  ).join("\n");
}

/** The first blocks of a message, as many as it takes, and a line for those left out. */
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
