import {
  diffRules,
  countChanges,
  describeEffect,
  type Rule,
  wrap,
} from "@devid/rules";
import { MESSAGE_WIDTH, showSteps } from "./show-steps";

/** How long the effect of a change is looked for. */
const EFFECT_MS = 1_000;

/**
 * What an update does to the rules of an environment, for a preview: a line a
 * change, and what all of them do together.
 * `undefined` when nothing changes. Texts of expressions, which may hold
 * secrets, are not in it.
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
    showSteps(changes, { expressions: false }),
    line(`${countChanges(changes)}. In total: ${total.join("; ")}.`),
    ...(after.length === 0
      ? [
          line(
            `Environment ${environment} is left without filtering rules: every request is allowed then.`,
          ),
        ]
      : []),
  ].join("\n");
}

const line = (text: string) => wrap("", text, "", MESSAGE_WIDTH);
