import type { Impact } from "../replay/impact";
import { count, grouped } from "@devid/rules/internals";
import {
  atMost,
  describePercent,
  eventsOf,
  percentAtMost,
  undeterminedOf,
} from "../replay/impact-numbers";
import { unreadableIn } from "../replay/row-counts";
import {
  judgedEffect,
  measuredChanges,
  type MeasuredChange,
} from "./judged-effect";
import {
  isAbsent,
  presentPart,
  RISKS,
  type Risk,
  type RiskReason,
  type Verdict,
} from "./review";
import { nameOfRuleSet } from "./list-names";
import {
  SIGNALS,
  UNPROVEN,
  type Evidence,
  type Signal,
  type SignalName,
} from "./signals";

/** A circumstance that makes a change risky. */
export interface RiskRule {
  readonly code: string;
  readonly risk: Exclude<Risk, "low">;
  /** The circumstance in a sentence, as docs/review.md has it. */
  readonly doc: string;
  /** What applies; nothing if the rule does not apply. */
  readonly find: (evidence: Evidence) => readonly Reason[];
}

/** What a risk rule found. */
type Reason = Pick<RiskReason, "text" | "ruleSet">;

/** Percent of the past events. If more are newly denied, the risk is high. */
const MUCH_DENIED = 1;

/**
 * The risk rules by their codes, the highest risk first. An event that may be newly
 * denied or allowed counts as one that is. For a sample, the upper bounds count.
 */
const ROWS: Readonly<Record<string, Omit<RiskRule, "code">>> = {
  "not-reviewed": {
    risk: "high",
    doc: "Something failed, so a part was not reviewed.",
    find: ({ failure }) =>
      failure === undefined
        ? []
        : [{ text: "this commit was not reviewed as a whole" }],
  },
  "not-compared": {
    risk: "high",
    doc: "One of the two files is not valid.",
    find: ({ diff }) =>
      isAbsent(diff) ? [{ text: "the rules cannot be compared" }] : [],
  },
  "plan-differs": {
    risk: "high",
    doc: "The deployment does something else than the file says.",
    find: ofSignal("plan-differs"),
  },
  "resources-harmed": {
    risk: "high",
    doc: "The deployment does something dangerous with another resource.",
    find: (evidence) => resourceEffects(evidence, "high"),
  },
  "not-planned": {
    risk: "high",
    doc: "The preview of the deployment failed.",
    find: ({ plan }) =>
      plan && isAbsent(plan)
        ? [{ text: "what the deployment does is not known" }]
        : [],
  },
  "policy-violated": {
    risk: "high",
    doc: "A policy refuses the deployment.",
    find: ofSignal("policies"),
  },
  errors: {
    risk: "high",
    doc: "A check of the file finds an error.",
    find: ofSignal("lint:error"),
  },
  "failing-tests": {
    risk: "high",
    doc: "A test of the file fails.",
    find: ofSignal("tests"),
  },
  "much-newly-denied": {
    risk: "high",
    doc: `More than ${MUCH_DENIED}% of the past events are, or may be, newly denied.`,
    find: ofImpact((impact) =>
      isMuchDenied(impact)
        ? [{ text: `${shareText("newlyDenied", impact)} newly denied` }]
        : [],
    ),
  },
  "resources-changed": {
    risk: "medium",
    doc: "The deployment does something with another resource that its users notice.",
    find: (evidence) => resourceEffects(evidence, "medium"),
  },
  "gets-through": {
    risk: "medium",
    doc: "A request gets through that did not before, or that cannot be ruled out.",
    find: (evidence) => {
      const { isSo, isUnproven, text }: Signal =
        SIGNALS["gets-through"](evidence);
      if (isSo || isUnproven) return [{ text }];
      // The rule `not-compared` reports rules that could not be compared.
      return isSo === undefined && evidence.base.isMissing
        ? [{ text: UNPROVEN }]
        : [];
    },
  },
  "newly-denied": {
    risk: "medium",
    doc: `Up to ${MUCH_DENIED}% of the past events are, or may be, newly denied.`,
    find: ofImpact((impact) =>
      isMuchDenied(impact) ? [] : events("newlyDenied", impact, "newly denied"),
    ),
  },
  "newly-allowed": {
    risk: "medium",
    doc: "Past events are, or may be, newly allowed.",
    find: ofImpact((impact) => events("newlyAllowed", impact, "newly allowed")),
  },
  "much-undetermined": {
    risk: "medium",
    doc: "More of the past events than `--max-undetermined` lack data that the decision depends on.",
    find: ofImpact((impact, { maxUndetermined }) => {
      const { cannotTell } = impact.total;
      const percent = percentAtMost(cannotTell, impact);
      const upTo = impact.sample ? "up to " : "";
      return some(
        percent - maxUndetermined,
        `${upTo}${describePercent(percent)} of past events are undetermined`,
      );
    }),
  },
  "newly-assumed": {
    risk: "medium",
    doc: "The file newly says of a header that no client sends it (`assume_not_sent`).",
    find: ({ newlyAssumed: { length } }) =>
      some(
        length,
        `the file newly says that no client sends ${count(length, "header")}, which counts once it is merged`,
      ),
  },
  "denies-unseen": {
    risk: "medium",
    doc: "More requests may be denied, and past events are missing, too few, or could not be read.",
    find: ofEachChange(({ impact, effect: { newlyDenied } }, { minEvents }) => {
      if (isAbsent(newlyDenied) || newlyDenied.answer === "none") return [];
      const events = isAbsent(impact) ? 0 : eventsOf(impact).value;
      if (events === 0)
        return some(
          1,
          "more requests may be denied, and there are no past events to count them",
        );
      const unreadable = isAbsent(impact) ? 0 : unreadableIn(impact.rows);
      if (unreadable > 0)
        return some(
          unreadable,
          `more requests may be denied, and ${count(unreadable, "row")} of the past events could not be read`,
        );
      return some(
        minEvents - events,
        `more requests may be denied, and there are too few past events to count them (${grouped(events)}, fewer than ${grouped(minEvents)})`,
      );
    }),
  },
  "policy-advises": {
    risk: "medium",
    doc: "A policy advises against the deployment.",
    find: ofSignal("policies-advise"),
  },
  "fewer-tests": {
    risk: "medium",
    doc: "The file has fewer tests than the base.",
    find: ofSignal("fewer-tests"),
  },
  warnings: {
    risk: "medium",
    doc: "A check of the file has a new warning.",
    find: ({ findings }) => {
      const warnings = findings.filter(
        ({ severity, isKnown }) => severity === "warning" && !isKnown,
      ).length;
      return some(warnings, count(warnings, "new warning"));
    },
  },
};

/** All risk rules, the highest risk first. */
export const RISK_RULES: readonly RiskRule[] = Object.entries(ROWS).map(
  ([code, row]) => ({ code, ...row }),
);

/**
 * Grades a change: the risk, the reasons, and whether requests newly get
 * through.
 */
export function verdictOf(evidence: Evidence): Verdict {
  const reasons = RISK_RULES.flatMap(({ code, risk, find }) =>
    find(evidence).map((reason) => ({ code, risk, ...reason })),
  );
  const grades = reasons.map(({ risk }) => RISKS.indexOf(risk));
  const { newlyAllowed } = judgedEffect(evidence);
  return {
    risk: RISKS[Math.max(0, ...grades)] ?? "low",
    reasons,
    getsThrough: isAbsent(newlyAllowed)
      ? { answer: "cannot tell" }
      : newlyAllowed,
  };
}

function resourceEffects({ plan }: Evidence, risk: Risk): readonly Reason[] {
  const { others = [] } = presentPart(plan) ?? {};
  const { length } = others.filter(({ effects = [] }) =>
    effects.some((effect) => effect.risk === risk),
  );
  const what = risk === "high" ? "dangerous changes" : "changes";
  return some(length, `${what} of ${count(length, "other resource")}`);
}

const some = (number: number, text: string): readonly Reason[] =>
  number > 0 ? [{ text }] : [];

function ofSignal(name: SignalName): RiskRule["find"] {
  return (evidence) => {
    const { isSo, text }: Signal = SIGNALS[name](evidence);
    return isSo ? [{ text }] : [];
  };
}

function ofEachChange(
  find: (change: MeasuredChange, evidence: Evidence) => readonly Reason[],
): RiskRule["find"] {
  return (evidence) =>
    measuredChanges(evidence).flatMap((change) => {
      const { ruleSet } = change;
      return find(change, evidence).map((reason) => ({
        ...reason,
        ruleSet: ruleSet && nameOfRuleSet(ruleSet),
      }));
    });
}

function ofImpact(
  find: (impact: Impact, evidence: Evidence) => readonly Reason[],
): RiskRule["find"] {
  return ofEachChange(({ impact }, evidence) =>
    isAbsent(impact) ? [] : find(impact, evidence),
  );
}

const isMuchDenied = (impact: Impact) =>
  percentAtMost(impact.possible.newlyDenied, impact) > MUCH_DENIED;

/**
 * The largest share of the past events that may have an outcome: `up to 3.4% of
 * past events`.
 */
function shareText(outcome: keyof Impact["possible"], impact: Impact): string {
  const percent = percentAtMost(impact.possible[outcome], impact);
  return `${upTo(outcome, impact)}${describePercent(percent)} of past events`;
}

function events(
  outcome: keyof Impact["possible"],
  impact: Impact,
  what: string,
): readonly Reason[] {
  const most = Math.ceil(atMost(impact.possible[outcome]));
  const noun = most === 1 ? "past event" : "past events";
  return some(most, `${upTo(outcome, impact)}${grouped(most)} ${noun} ${what}`);
}

function upTo(outcome: keyof Impact["possible"], impact: Impact): string {
  return impact.sample || undeterminedOf(outcome, impact).value > 0
    ? "up to "
    : "";
}
