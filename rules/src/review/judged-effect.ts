import type { RuleSetDiff } from "../diff/rule-change";
import type { Impact } from "../replay/impact";
import { eventsOf } from "../replay/impact-numbers";
import type { FoundRequest } from "../solver/find-request";
import { isAbsent, type Absent, type Review } from "./review";

/** What a review tells of what happens to requests; absent where nothing tells. */
export interface JudgedEffect {
  readonly newlyDenied: FoundRequest | Absent;
  readonly newlyAllowed: FoundRequest | Absent;
}

/**
 * What happens to requests, told from the change of the file and from what the
 * plan does to the rules in force: a request that either finds is found, and
 * only what both rule out is ruled out. Without a base the plan alone tells; with
 * neither, "nothing gets through that did not before" would hold of any file, so
 * it cannot be told.
 */
export function judgedEffect({
  base,
  diff,
  plan,
}: Pick<Review, "base" | "diff" | "plan">): JudgedEffect {
  const planned =
    plan === undefined || isAbsent(plan)
      ? []
      : plan.ruleSets
          .filter(({ isReviewed }) => isReviewed)
          .map((ruleSet) => ruleSet.diff);
  const half = (of: "newlyDenied" | "newlyAllowed", isVacuous: boolean) => {
    const isTold = !isAbsent(diff) && !isVacuous;
    const diffs = isTold ? [diff, ...planned] : planned;
    if (diffs.length > 0) return together(diffs, of);
    return { absent: isAbsent(diff) ? diff.absent : "compared with no rules" };
  };
  const isMissing = base.isMissing === true;
  return {
    newlyDenied: half("newlyDenied", isMissing && planned.length > 0),
    newlyAllowed: half("newlyAllowed", isMissing),
  };
}

function together(
  diffs: readonly (RuleSetDiff | Absent)[],
  half: "newlyDenied" | "newlyAllowed",
): FoundRequest {
  const told = diffs.map((diff): FoundRequest =>
    isAbsent(diff) ? { answer: "cannot tell" } : diff.effect[half],
  );
  return (
    told.find(({ answer }) => answer === "found") ??
    told.find(({ answer }) => answer === "cannot tell") ?? { answer: "none" }
  );
}

/** What of the outcomes of events is proven not to occur, whatever events there are. */
export function provenNone({
  newlyDenied,
  newlyAllowed,
}: JudgedEffect): Readonly<
  Record<"newlyDenied" | "newlyAllowed" | "cannotTell", boolean>
> {
  const isNone = (found: FoundRequest | Absent) =>
    !isAbsent(found) && found.answer === "none";
  const [denied, allowed] = [isNone(newlyDenied), isNone(newlyAllowed)];
  return {
    newlyDenied: denied,
    newlyAllowed: allowed,
    // Where no request is decided otherwise, no event leaves that open.
    cannotTell: denied && allowed,
  };
}

/** The impact with 0 for each outcome that is proven not to occur: a proof knows more than events, and than a sample of them. */
export function withProof(
  impact: Impact | Absent,
  effect: JudgedEffect,
): Impact | Absent {
  if (isAbsent(impact)) return impact;
  const none = { value: 0 };
  const proven = provenNone(effect);
  return {
    ...impact,
    total: {
      ...impact.total,
      ...(proven.newlyDenied && { newlyDenied: none }),
      ...(proven.newlyAllowed && { newlyAllowed: none }),
      ...(proven.cannotTell && {
        cannotTell: none,
        unchanged: eventsOf(impact),
      }),
    },
  };
}
