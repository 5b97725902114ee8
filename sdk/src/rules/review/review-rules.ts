import {
  checkRuleFile,
  diffRules,
  lintRules,
  openRuleFile,
  RuleFileError,
  runRuleTests,
  type Rule,
  type RuleFile,
  type RuleFileFinding,
} from "..";
import type { Impact } from "../replay";
import type { FailCondition } from "./fail-condition";
import { judgeCondition } from "./judge-condition";
import type {
  Absent,
  PlannedRuleSet,
  Review,
  ReviewedPlan,
  ReviewFinding,
} from "./review";
import { verdictOf } from "./verdict-of";

/** Fewer past events are no evidence of what a change would do. */
export const MIN_EVENTS = 100;

/** One rule set of a deployment, before it is compared. */
export interface PlannedRules extends Omit<PlannedRuleSet, "diff"> {
  /** What is in force now. */
  readonly inForce: readonly Rule[];
  /** What will be; none of a rule set that is deleted. */
  readonly planned: readonly Rule[] | Absent;
}

/** A deployment, before it is compared with the rule file. */
export interface PlanSubject extends Omit<
  ReviewedPlan,
  "ruleSets" | "differences"
> {
  readonly ruleSets: readonly PlannedRules[];
}

/** What is reviewed. */
export interface ReviewSubject {
  readonly purpose?: Review["purpose"];
  readonly commit?: string;
  readonly environment?: string;
  readonly scope?: Review["scope"];
  /** What the rule file is called; it is not opened. */
  readonly path: string;
  readonly text: string;
  /** What it is compared with; `note` says what is special about that. */
  readonly base: Review["base"] &
    ({ readonly rules: readonly Rule[] } | Absent);
  /** What the change would have done to past events, or why that was not measured. */
  readonly impact: Impact | Absent;
  /** Conditions on past events are not judged by fewer of them; default 100. */
  readonly minEvents?: number;
  /** What the deployment does, or why that is not known; left out where none is looked at. */
  readonly plan?: PlanSubject | Absent;
  /** Conditions under which the review fails. */
  readonly failOn?: readonly FailCondition[];
}

/**
 * Reviews a rule file: what it changes in meaning, what lint says of it, what
 * its tests say, and what it would have done to past events. A file that is not
 * valid is reviewed as well: the review says what is wrong with it.
 */
export function reviewRules(subject: ReviewSubject): Review {
  const { path, text, base, impact, failOn = [] } = subject;
  const { purpose = "change", scope = {}, minEvents = MIN_EVENTS } = subject;
  const file = openOrAbsent(text, path);
  const evidence = {
    diff: diffWith(base, file),
    findings: findingsIn(text, path, "rules" in base ? base.rules : []),
    tests: "absent" in file ? file : testsOf(file),
    impact,
  };
  const verdict = verdictOf(evidence);
  const { name, note } = base;
  return {
    version: 1,
    purpose,
    file: path,
    scope,
    minEvents,
    base: note === undefined ? { name } : { name, note },
    verdict,
    conditions: failOn.map((condition) =>
      judgeCondition(condition, { ...evidence, verdict }),
    ),
    ...evidence,
  };
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
): Review["diff"] {
  if ("absent" in file) return file;
  return "rules" in base
    ? diffRules(base.rules, file.rules)
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

function findingsIn(
  text: string,
  path: string,
  base: readonly Rule[],
): ReviewFinding[] {
  const known = new Set(lintRules(base).map(identityOf));
  return checkRuleFile(text, path).map((finding) => ({
    ...finding,
    isKnown: known.has(identityOf(finding)),
  }));
}

/** A finding apart from its place, which moves with every line above it. */
const identityOf = ({
  code,
  rule,
  message,
}: Pick<RuleFileFinding, "code" | "rule" | "message">) =>
  JSON.stringify([code, rule, message]);
