import type { RuleSetDiff, FoundRequest } from "@devid/rules";
import { CHANGED_OUTCOMES, type Impact } from "../replay/impact";
import { withoutImpossible } from "../replay/impact-figures";
import { eventsOf } from "../replay/impact-numbers";
import {
  isAbsent,
  presentPart,
  type Absent,
  type PlannedRuleSet,
  type Review,
} from "./review";

/**
 * Whether requests are newly denied or newly allowed; absent if nothing
 * was compared.
 */
export interface JudgedEffect {
  readonly newlyDenied: FoundRequest | Absent;
  readonly newlyAllowed: FoundRequest | Absent;
}

/**
 * Combines two comparisons: the base with the file, and the rules in force with the
 * planned rules. If either comparison finds a request, that request is the answer. Only
 * if both prove that there is none is the answer `none`. Without a base, the plan alone
 * decides. Without both, the answer is absent: compared with no rules, every file would
 * seem to let nothing through. A rule set counts if the file describes it, or if its
 * change is judged by past events of its own.
 */
export function judgedEffect({
  base,
  diff,
  plan,
}: Pick<Review, "base" | "diff" | "plan">): JudgedEffect {
  const planned = (presentPart(plan)?.ruleSets ?? [])
    .filter((ruleSet) => ruleSet.isReviewed || isMeasured(ruleSet))
    .map((ruleSet) => ruleSet.diff);
  const half = (of: "newlyDenied" | "newlyAllowed", isVacuous: boolean) => {
    const isReported = !isAbsent(diff) && !isVacuous;
    const diffs = isReported ? [diff, ...planned] : planned;
    if (diffs.length > 0) return together(diffs, of);
    return { absent: isAbsent(diff) ? diff.absent : "compared with no rules" };
  };
  const isMissing = base.isMissing === true;
  return {
    newlyDenied: half("newlyDenied", isMissing && planned.length > 0),
    newlyAllowed: half("newlyAllowed", isMissing),
  };
}

/** Whether a rule set is measured on past events of its own environment. */
function isMeasured(ruleSet: PlannedRuleSet): boolean {
  return ruleSet.impact !== undefined;
}

/** A change that is measured on past events. */
export interface MeasuredChange {
  /** The rule set of a plan; absent if only one change is judged. */
  readonly ruleSet?: PlannedRuleSet;
  readonly impact: Impact | Absent;
  readonly effect: JudgedEffect;
}

/**
 * All changes that are measured on past events: the change of the file, and changes of
 * other judged rule sets of the plan. Each is measured on the events of its own
 * environment and region.
 */
export function measuredChanges({
  impact,
  ...compared
}: Pick<Review, "base" | "diff" | "plan" | "impact">): readonly [
  MeasuredChange,
  ...MeasuredChange[],
] {
  const { base, diff } = compared;
  const plan = presentPart(compared.plan);
  const { ruleSets = [] } = plan ?? {};
  const others = ruleSets.flatMap((ruleSet): MeasuredChange[] => {
    const { impact } = ruleSet;
    return impact ? [{ ruleSet, impact, effect: plannedEffect(ruleSet) }] : [];
  });
  if (plan === undefined || others.length === 0)
    return [{ impact, effect: judgedEffect(compared) }];
  const own = ruleSets.filter((ruleSet) => !isMeasured(ruleSet));
  const first = own.find(({ isReviewed }) => isReviewed);
  return [
    {
      ruleSet: first,
      impact,
      effect: judgedEffect({ base, diff, plan: { ...plan, ruleSets: own } }),
    },
    ...others,
  ];
}

/** What the change of one rule set of a plan does to requests. */
export function plannedEffect({
  diff,
}: Pick<PlannedRuleSet, "diff">): JudgedEffect {
  return {
    newlyDenied: together([diff], "newlyDenied"),
    newlyAllowed: together([diff], "newlyAllowed"),
  };
}

function together(
  diffs: readonly (RuleSetDiff | Absent)[],
  half: "newlyDenied" | "newlyAllowed",
): FoundRequest {
  const answers = diffs.map((diff): FoundRequest =>
    isAbsent(diff) ? { answer: "cannot tell" } : diff.effect[half],
  );
  return (
    answers.find(({ answer }) => answer === "found") ??
    answers.find(({ answer }) => answer === "cannot tell") ?? { answer: "none" }
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

/** The impact, with 0 for each outcome that is proven never to occur. */
export function withProof(
  impact: Impact | Absent,
  effect: JudgedEffect,
): Impact | Absent {
  if (isAbsent(impact)) return impact;
  const proven = provenNone(effect);
  const outcomes = CHANGED_OUTCOMES.filter((outcome) => proven[outcome]);
  return withoutImpossible(impact, new Set(outcomes), eventsOf(impact));
}
