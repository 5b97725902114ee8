import { visibleText } from "@devid/rules";
import { ruleFileText } from "./rule-file-text";
import type { PlacedRule } from "./rules-of-others";
import { firstBlocks } from "./show-steps";

/** What an update tells of rules of others that it overwrote knowingly. */
export function describeOverwritten(
  environment: string,
  rules: readonly PlacedRule[],
): string {
  const { many, are, them } = wordsFor(rules);
  return (
    `${many} of environment ${environment} that this resource did not write ${are} overwritten, and out of force. ` +
    `To put ${them} back, add ${them} to the rules of the environment:\n` +
    textToPutBack(rules)
  );
}

/** What an update tells of rules of others that it overwrote without knowing of them. */
export function describeLost(
  environment: string,
  rules: readonly PlacedRule[],
): string {
  const { many, are, them } = wordsFor(rules);
  return (
    `The filtering rules of environment ${environment} are as declared, but ${many} that somebody wrote while the update was under way ${are} overwritten, and out of force. ` +
    `To put ${them} back, add ${them} to the rules of the environment:\n` +
    `${textToPutBack(rules)}\n` +
    `The state has what is in force: nothing else is left to do.`
  );
}

const wordsFor = ({ length }: readonly unknown[]) =>
  length === 1
    ? { many: "1 rule", are: "is", them: "it" }
    : { many: `${length} rules`, are: "are", them: "them" };

/** Rules as a rule file has them, each with the place that it had; of very many the first. */
function textToPutBack(rules: readonly PlacedRule[]): string {
  const blocks = rules.map(({ rule, after }) => {
    const [, ...lines] = ruleFileText([rule]).trimEnd().split("\n");
    const place = after === "" ? "the first" : `after ${visibleText(after)}`;
    return [`  # ${place}`, ...lines].join("\n");
  });
  const shown = firstBlocks(
    blocks,
    (left) => `  # and ${left} more, which are too long to show`,
  );
  return ["rules:", ...shown].join("\n");
}
