import {
  identities,
  lintSet,
  LintedSet,
  TimeLimit,
} from "@devid/rules/internals";
import {
  diffRules,
  type LintOptions,
  identifiedFindings,
  openRuleFile,
  type RuleFile,
  RuleFileError,
  runRuleTests,
  type Rule,
} from "@devid/rules";
import { assumedHeaders } from "../replay/assumed-headers";
import type { Impact } from "../replay/impact";
import { judgeCondition, type FailCondition } from "./fail-condition";
import { measuredChanges, plannedEffect, withProof } from "./judged-effect";
import {
  isAbsent,
  type Absent,
  type Review,
  type ReviewFinding,
} from "./review";
import {
  reviewPlan,
  type FileUnderReview,
  type PlanSubject,
} from "./review-plan";
import { verdictOf } from "./risk-rules";

/**
 * The default number of past events below which a review draws no conclusion
 * from them.
 */
export const MIN_EVENTS = 100;

/**
 * The default percentage of past events that may be undetermined before a review
 * draws no conclusion from the others.
 */
export const MAX_UNDETERMINED = 5;

/** Everything that a review is made from. */
export interface ReviewSubject {
  readonly purpose?: Review["purpose"];
  readonly commit?: string;
  readonly environment?: string;
  readonly scope?: Review["scope"];
  /** The file's name in the report; the file is not opened. */
  readonly path: string;
  readonly text: string;
  /**
   * The rules that the file is compared with; `note` says what is unusual about
   * them.
   */
  readonly base: Review["base"] &
    ({ readonly rules: readonly Rule[] } | Absent) & {
      /** The headers that a base that is a rule file says no client sends. */
      readonly assumeNotSent?: readonly string[];
    };
  /** What the change would have done to past events, or why that was not measured. */
  readonly impact: Impact | Absent;
  /** What the rules of the file decided of past events, if that was asked for. */
  readonly usage?: Review["usage"];
  /**
   * With fewer past events than this, conditions on events cannot be judged;
   * default 100.
   */
  readonly minEvents?: number;
  /**
   * Percent of the past events. If more are undetermined, conditions on them cannot be
   * judged; default 5.
   */
  readonly maxUndetermined?: number;
  /**
   * What the deployment does, or why that is unknown; left out if no deployment
   * is reviewed.
   */
  readonly plan?: PlanSubject | Absent;
  readonly policies?: Review["policies"];
  readonly failure?: string;
  /** The time limit of all searches; default: 25 s of processor time. */
  readonly time?: TimeLimit;
  /** How lint looks at the rules. */
  readonly lint?: LintOptions;
  /** Conditions under which the review fails. */
  readonly failOn?: readonly FailCondition[];
}

/** Milliseconds of processor time for the searches of a review. */
const REVIEW_MS = 25_000;
/** The share of each step: the comparison, and lint of each side. */
const STEP_MS = 10_000;

/**
 * Reviews a rule file: what it changes in meaning, what lint finds, how its
 * tests end, what it would have done to past events, and whether the deployment
 * does what the file says. An invalid file gets a review, too, which says what
 * is wrong.
 */
export function reviewRules(subject: ReviewSubject): Review {
  const { path, text, failOn = [] } = subject;
  const { purpose = "change", scope = {}, minEvents = MIN_EVENTS } = subject;
  const { maxUndetermined = MAX_UNDETERMINED } = subject;
  const { commit, environment } = subject;
  const { time = new TimeLimit(REVIEW_MS) } = subject;
  const file = openOrAbsent(text, path);
  const inBase = "rules" in subject.base ? subject.base.rules : [];
  const diff = diffWith(subject.base, file, time);
  const plan = planOf(subject, file, diff, time);
  const { name, note, isMissing, tests } = subject.base;
  const base = { name, note, isMissing, tests };
  const { impact, usage, policies, failure } = subject;
  const [{ effect }] = measuredChanges({ base, diff, plan, impact });
  const parts = {
    diff,
    findings: findingsIn(subject, file, inBase, time),
    tests: isAbsent(file) ? file : testsOf(file),
    impact: withProof(impact, effect),
    ...{ usage, minEvents, maxUndetermined },
    newlyAssumed: isAbsent(file)
      ? []
      : assumedHeaders(file.assumeNotSent, subject.base.assumeNotSent).added,
    ...{ plan, policies, failure },
  };
  const evidence = { base, ...parts };
  const verdict = verdictOf(evidence);
  return {
    version: 1,
    purpose,
    file: path,
    ...{ commit, environment, scope, base, verdict },
    conditions: failOn.map((condition) =>
      judgeCondition(condition, { ...evidence, verdict }),
    ),
    ...parts,
  };
}

function planOf(
  { plan, path, base }: ReviewSubject,
  file: RuleFile | Absent,
  diff: FileUnderReview["diff"],
  time: TimeLimit,
): Review["plan"] {
  if (plan === undefined || isAbsent(plan)) return plan;
  const rules = isAbsent(file) ? file : file.rules;
  const reviewed = reviewPlan(plan, { path, rules, base, diff }, time);
  const ruleSets = reviewed.ruleSets.map((ruleSet) => {
    const { impact } = ruleSet;
    return impact === undefined
      ? ruleSet
      : { ...ruleSet, impact: withProof(impact, plannedEffect(ruleSet)) };
  });
  return { ...reviewed, ruleSets };
}

function openOrAbsent(text: string, path: string): RuleFile | Absent {
  try {
    return openRuleFile(text, path);
  } catch (error) {
    if (error instanceof RuleFileError)
      return { absent: "the rule file is not valid" };
    throw error;
  }
}

function diffWith(
  base: ReviewSubject["base"],
  file: RuleFile | Absent,
  time: TimeLimit,
): Review["diff"] {
  if ("absent" in file) return file;
  return "rules" in base
    ? diffRules(base.rules, file.rules, { time: time.part(STEP_MS) })
    : { absent: base.absent };
}

function testsOf(file: RuleFile): Review["tests"] {
  try {
    return runRuleTests(file);
  } catch (error) {
    if (error instanceof RuleFileError)
      return { absent: "an expression has a mistake" };
    throw error;
  }
}

/** The findings in a file. Findings that the base has, too, are marked as known. */
function findingsIn(
  { text, path, lint }: ReviewSubject,
  file: RuleFile | Absent,
  base: readonly Rule[],
  time: TimeLimit,
): ReviewFinding[] {
  const part = (): LintOptions => ({
    ...lint,
    time: time.part(lint?.withinMs ?? STEP_MS),
  });
  const opened = isAbsent(file) ? undefined : file;
  const found = identifiedFindings(text, path, part(), opened);
  const before = new LintedSet(base, part());
  // An identity has the name of its rule, so lint looks at no other rule of the base.
  const names = new Set(found.flatMap(({ finding }) => finding.rule ?? []));
  const known = new Set(lintSet(before, names).map(identities(before)));
  return found.map(({ finding, identity }) => ({
    ...finding,
    isKnown: identity !== undefined && known.has(identity),
  }));
}
