import type { RuleSetDiff } from "../diff/rule-change";
import type { Impact } from "../replay/impact";
import { eventsOf } from "../replay/impact-numbers";
import type { FoundRequest } from "../solver/find-request";
import { isAbsent, type Absent, type Review } from "./review";

/**
 * Whether requests are newly denied or newly allowed; absent if nothing
 * was compared.
 */
export interface JudgedEffect {
  readonly newlyDenied: FoundRequest | Absent;
  readonly newlyAllowed: FoundRequest | Absent;
}

/**
 * Tells what happens to requests from two comparisons: the base with the file,
 * and the rules in force with the planned ones. If either comparison finds a
 * request, that request is the answer. Only if both prove that there is none is
 * the answer `none`. Without a base, the plan alone decides. Without both, the
 * answer is absent: compared with no rules, every file would seem to let
 * nothing through.
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

/** Which outcomes are proven never to occur, for any events. */
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
    // If every request is decided as before, no event can be undecided.
    cannotTell: denied && allowed,
  };
}

/**
 * The impact, with 0 for each outcome that is proven never to occur. A proof is
 * stronger than a count of events or an estimate from a sample.
 */
export function withProof(
  impact: Impact | Absent,
  effect: JudgedEffect,
): Impact | Absent {
  if (isAbsent(impact)) return impact;
  const none = { value: 0 };
  const proven = provenNone(effect);
  const impossible = {
    ...(proven.newlyDenied && { newlyDenied: none }),
    ...(proven.newlyAllowed && { newlyAllowed: none }),
  };
  return {
    ...impact,
    possible: { ...impact.possible, ...impossible },
    total: {
      ...impact.total,
      ...impossible,
      ...(proven.cannotTell && {
        cannotTell: none,
        unchanged: eventsOf(impact),
      }),
    },
  };
}
