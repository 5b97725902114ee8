import {
  describeChanges,
  assertNever,
  count,
  grouped,
  shortened,
  type Quote,
  describeRequest,
} from "@devid/rules/internals";
import { type Severity, visibleText } from "@devid/rules";
import {
  atMost,
  describeShare,
  describeUpTo,
  eventsOf,
} from "../../replay/impact-numbers";
import {
  judgedEffect,
  measuredChanges,
  provenNone,
  type MeasuredChange,
} from "../../review/judged-effect";
import {
  isAbsent,
  RISKS,
  type ConditionOutcome,
  type Review,
  type ReportSubject,
} from "../../review/review";
import { nameOfRuleSet } from "../../review/list-names";
import { failedTests } from "../../review/risk-rules";

/** Digits of a commit that are enough to identify it. */
const SHORT_COMMIT = 10;

/** The title of a report: `Review of rules.yaml against main`. */
export function titleOf(
  { file, purpose, base }: ReportSubject,
  quote: Quote,
): string {
  const of = `${TITLES[purpose]} of ${quote(file)}`;
  return base === undefined ? of : `${of} against ${quote(base.name)}`;
}

const TITLES = { change: "Review", recovery: "Recovery" } as const;

/**
 * The lines below the title: the commit, the environment and the stack if they
 * are known, and for a recovery what that means.
 */
export function describeSubject(
  subject: ReportSubject & Pick<Review, "plan">,
  quote: Quote,
): string[] {
  const { commit, scope, plan, purpose } = subject;
  const environment = subject.environment ?? scope.environment;
  const planned = plan && !isAbsent(plan) ? plan.stack : undefined;
  const stack = planned ?? scope.stack;
  const parts = [
    ...(commit === undefined
      ? []
      : [`commit ${quote(commit.slice(0, SHORT_COMMIT))}`]),
    ...(environment === undefined ? [] : [`environment ${quote(environment)}`]),
    ...(stack === undefined ? [] : [`stack ${quote(stack)}`]),
  ];
  return [
    ...(parts.length === 0 ? [] : [capitalized(parts.join(" · "))]),
    ...(purpose === "recovery"
      ? [
          "The rules of the main branch are put in force again; no change of them is proposed here.",
        ]
      : []),
  ];
}

const capitalized = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The summary of a review, a phrase for each part. Texts of rules go through `quote`.
 */
export function describeVerdict(review: Review, quote: Quote): string[] {
  const { diff } = review;
  return [
    isAbsent(diff) ? "not compared" : describeChanges(diff),
    ...describePlanned(review, quote),
    describeGetsThrough(review, quote),
    ...measuredChanges(review).map((change) => {
      const text = describeImpact(change, review.minEvents);
      const { ruleSet } = change;
      return ruleSet ? `${nameOfRuleSet(ruleSet, quote)}: ${text}` : text;
    }),
    describeFindings(review),
    describeTests(review),
  ];
}

/** Characters of the message of a failure that a report of any format shows. */
export const LONGEST_FAILURE = 3_000;

/** Why a part was not reviewed, in lines that a code block can hold. */
export function failureText(failure: string): string {
  return shortened(failure, LONGEST_FAILURE)
    .split(/\r?\n/)
    .map(visibleText)
    .join("\n");
}

/** The risk as a heading: `High risk`. */
export function gradeOf({ verdict: { risk } }: Review): string {
  return `${risk.charAt(0).toUpperCase()}${risk.slice(1)} risk`;
}

/**
 * The reasons for the risk, a phrase for each grade, the highest first; empty
 * if the risk is low.
 */
export function describeReasons({ verdict }: Review): string[] {
  return [...RISKS].reverse().flatMap((risk) => {
    const texts = verdict.reasons
      .filter((reason) => reason.risk === risk)
      .map(({ text }) => text);
    return texts.length > 0 ? [`${risk} risk: ${texts.join("; ")}`] : [];
  });
}

/** Whether a condition holds, and why: `✗ newly-denied>1% holds: 420 (3.4%)`. */
export function describeCondition(
  { condition, outcome, found }: ConditionOutcome,
  quote: Quote,
): string {
  const mark = outcome === "does not hold" ? "✓" : "✗";
  return `${mark} ${quote(condition)} ${outcome}: ${quote(found)}`;
}

function describePlanned({ plan }: Review, quote: Quote): string[] {
  if (plan === undefined) return [];
  if (isAbsent(plan)) return [`no plan: ${quote(plan.absent)}`];
  const [first, ...more] = plan.differences;
  if (first === undefined) return ["the plan does what the file says"];
  const rest = more.length > 0 ? ` (and ${grouped(more.length)} more)` : "";
  return [
    `the plan does something else than the file says: ${quote(first)}${rest}`,
  ];
}

function describeGetsThrough(review: Review, quote: Quote): string {
  const { getsThrough } = review.verdict;
  switch (getsThrough.answer) {
    case "found":
      return `requests get through that did not before, e.g. ${quote(describeRequest(getsThrough.request))}`;
    case "none":
      return "nothing gets through that did not before";
    case "cannot tell": {
      const text =
        "cannot tell whether anything gets through that did not before";
      const isAgainstNothing = "absent" in judgedEffect(review).newlyAllowed;
      return review.base.isMissing && isAgainstNothing
        ? `${text}, compared with no rules`
        : text;
    }
    default:
      return assertNever(getsThrough);
  }
}

/**
 * The heading of the section on past events. If there are several rule sets, it names
 * the rule set.
 */
export function pastEventsTitle(
  { ruleSet }: MeasuredChange,
  quote: Quote,
): string {
  const of = ruleSet ? ` of ${nameOfRuleSet(ruleSet, quote)}` : "";
  return `Past events${of}`;
}

function describeImpact(
  { impact, effect }: MeasuredChange,
  minEvents: number,
): string {
  if (isAbsent(impact)) {
    const proven = provenNone(effect);
    return proven.newlyDenied && proven.newlyAllowed
      ? "proven: every request is decided as before"
      : "past events not looked at";
  }
  const { total } = impact;
  const all = eventsOf(impact);
  if (all.value === 0) return "no past events";
  const denied = describeUpTo("newlyDenied", impact, " newly denied");
  const isNone = atMost(impact.possible.newlyDenied) === 0;
  const parts = [isNone ? "none newly denied" : denied];
  if (atMost(impact.possible.newlyAllowed) > 0)
    parts.push(describeUpTo("newlyAllowed", impact, " newly allowed"));
  if (atMost(total.cannotTell) > 0)
    parts.push(`${describeShare(total.cannotTell, impact)} undetermined`);
  const about = impact.sample ? "about " : "";
  const few =
    all.value < minEvents ? `, fewer than ${grouped(minEvents)},` : "";
  const noun = all.value === 1 ? "past event" : "past events";
  return `of ${about}${grouped(all.value)} ${noun}${few} ${parts.join(", ")}`;
}

function describeFindings({ findings }: Review): string {
  const counts = (["error", "warning", "note"] as const)
    .map((severity) => countOf(findings, severity))
    .filter((text) => text !== "");
  return counts.join(", ") || "nothing found by lint";
}

function countOf(findings: Review["findings"], severity: Severity): string {
  const found = findings.filter((finding) => finding.severity === severity);
  if (found.length === 0) return "";
  const known = found.filter(({ isKnown }) => isKnown).length;
  const text = count(found.length, severity);
  return known > 0 ? `${text} (${grouped(known)} not new)` : text;
}

function describeTests({ tests }: Review): string {
  if (isAbsent(tests)) return "tests not run";
  const all = tests.tests.length;
  if (all === 0) return "no tests";
  const failed = failedTests(tests);
  return failed > 0
    ? `${grouped(failed)} of ${count(all, "test")} failed`
    : `${count(all, "test")} passed`;
}
