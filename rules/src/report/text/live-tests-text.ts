import type {
  DisputedRule,
  LiveTestReport,
  LiveTestResult,
  RefusedByService,
} from "../../rule-file/run-live-tests";
import { count } from "../describe/numbers";
import { describeRequest } from "../describe/describe-request";
import { visibleText, wrap } from "../describe/visible-text";
import { describeDecision } from "./test-block";

/**
 * Whether the service decides a test differently, or refuses a rule or a request that
 * is valid here.
 */
export const hasLiveDifference = ({ tests, refused }: LiveTestReport) =>
  refused.length > 0 || tests.some(isDifferent);

const isDifferent = ({ outcome: { kind } }: LiveTestResult) =>
  kind === "different" || kind === "refused";

/**
 * Formats the differences of the service for people, a block for each: first the rules
 * that it refuses, then the tests. Lines have at most 80 columns if names allow it.
 * @param file name of the rule file
 */
export const liveDifferences = (
  { tests, refused }: LiveTestReport,
  file: string,
): string[] => [
  ...refused.map(refusedBlock),
  ...tests.filter(isDifferent).map((test) => differenceBlock(test, file)),
];

/**
 * Says how many tests the service and devid decide alike, and why other tests were not
 * sent.
 * @param service which service was asked
 * @param isStrict whether a test that was not asked is marked as a failure
 */
export function liveSummary(
  { tests, calls }: LiveTestReport,
  service: string,
  isStrict = false,
): string {
  const asked = tests.filter(({ outcome }) => outcome.kind !== "not asked");
  const same = asked.filter(({ outcome }) => outcome.kind === "same").length;
  const reasons = new Map<string, string[]>();
  for (const { name, outcome } of tests)
    if (outcome.kind === "not asked")
      reasons.set(outcome.reason, [
        ...(reasons.get(outcome.reason) ?? []),
        visibleText(name),
      ]);
  const decides =
    asked.length === 0
      ? "decides no test"
      : `decides ${same} of ${count(asked.length, "test")} alike`;
  const said =
    calls === 0
      ? "was asked nothing"
      : `${decides}, in ${count(calls, "call")}`;
  return [
    wrap("  ", `${service} ${said}`),
    ...[...reasons].map(([reason, names]) =>
      wrap(
        isStrict ? "  ✗ " : "  ",
        `not asked, because ${reason}: ${someOf(names)}`,
        "      ",
      ),
    ),
  ].join("\n");
}

const MOST_NAMES = 5;

function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

const row = (label: string, text: string) =>
  wrap(`      ${label.padEnd(10)}`, visibleText(text));

function refusedBlock({ rule, expression, message }: RefusedByService): string {
  const what =
    rule === undefined
      ? "the service refuses the rules, which are valid here"
      : `the service refuses rule ${visibleText(rule)}, which is valid here`;
  return [
    wrap("  ✗ ", what),
    row("service", message),
    ...(expression === undefined ? [] : [row("rule", expression)]),
  ].join("\n");
}

function differenceBlock(
  { name, here, outcome, request, line, column }: LiveTestResult,
  file: string,
): string {
  const disputed = outcome.kind === "different" ? outcome.disputed : undefined;
  return [
    wrap("  ✗ ", visibleText(name)),
    row("here", describeDecision(here, "for no rule matches")),
    row("service", serviceText(outcome)),
    ...(disputed
      ? [row("rule", disputeText(disputed)), row("", disputed.expression)]
      : []),
    row("request", describeRequest({ headers: {}, ...request })),
    `      at        ${visibleText(file)}:${line}:${column}`,
  ].join("\n");
}

function serviceText(outcome: LiveTestResult["outcome"]): string {
  if (outcome.kind === "refused")
    return `refuses the request: ${outcome.message}`;
  if (outcome.kind === "not asked") return "was not asked";
  const { result, rule, unknownRule } = outcome.service;
  if (unknownRule !== undefined)
    return `${result} by a rule that the file does not have: ${unknownRule}`;
  if (rule !== undefined) return `${result} by ${rule}`;
  return result === "allow"
    ? "allow, for no rule matches"
    : `${result}, without naming a rule`;
}

const disputeText = ({ name, here, problem = "" }: DisputedRule) =>
  here === "matched"
    ? `${name} matches here, and not at the service`
    : here === "failed"
      ? `${name} matches at the service, and fails here: ${problem}`
      : `${name} matches at the service, and not here`;
