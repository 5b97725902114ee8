import type { RuleSetEffect } from "../diff";
import type { FoundRequest } from "../solver/find-request";
import { describeRequest } from "./describe-request";

/** A part of what is said about an effect, with the request that shows it. */
export interface EffectPhrase {
  readonly text: string;
  readonly example?: string;
}

/** An effect in words: one phrase, or one for each of its halves. */
export function describeEffect(effect: RuleSetEffect): EffectPhrase[] {
  const { newlyDenied, newlyAllowed } = effect;
  const answers = [newlyDenied.answer, newlyAllowed.answer];
  if (answers.every((answer) => answer === "none"))
    return [{ text: "decides no request otherwise" }];
  if (answers.every((answer) => answer === "cannot tell"))
    return [{ text: "cannot tell which requests are decided otherwise" }];
  return [
    phrase(newlyDenied, {
      found: "denies more requests",
      none: "denies nothing new",
      "cannot tell": "cannot tell whether more requests are denied",
    }),
    phrase(newlyAllowed, {
      found: "lets more requests through",
      none: "lets nothing new through",
      "cannot tell": "cannot tell whether more requests get through",
    }),
  ];
}

function phrase(
  found: FoundRequest,
  words: Readonly<Record<FoundRequest["answer"], string>>,
): EffectPhrase {
  const text = words[found.answer];
  return found.answer === "found"
    ? { text, example: describeRequest(found.request) }
    : { text };
}
