import type {
  DisputedRule,
  LiveDecision,
  LiveTestReport,
  LiveTestResult,
  RefusedByService,
} from "../../rule-file/run-live-tests";
import { describeRequest } from "../describe/describe-request";
import { visibleText, wrap } from "../describe/visible-text";
import { describeDecision } from "./test-block";

/**
 * Whether the service decides a test differently, or refuses a rule or a request that
 * is valid here.
 */
export function hasLiveDifference({ tests, refused }: LiveTestReport): boolean {
  return (
    refused.length > 0 ||
    tests.some(({ outcome }) => isDifference(outcome.kind))
  );
}

const isDifference = (kind: LiveTestResult["outcome"]["kind"]) =>
  kind === "different" || kind === "refused";

/**
 * Formats the differences of the service for people, a block for each: first the rules
 * that it refuses, then the tests. Lines have at most 80 columns if names allow it.
 * @param file name of the rule file
 */
export function liveDifferences(
  { tests, refused }: LiveTestReport,
  file: string,
): string[] {
  return [
    ...refused.map(refusedBlock),
    ...tests
      .filter(({ outcome }) => isDifference(outcome.kind))
      .map((test) => differenceBlock(test, file)),
  ];
}

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
  const sent = `in ${calls} ${calls === 1 ? "call" : "calls"}`;
  const many = `${asked.length} ${asked.length === 1 ? "test" : "tests"}`;
  const mark = isStrict ? "  ✗ " : "  ";
  return [
    wrap(
      "  ",
      calls === 0
        ? `${service} was asked nothing`
        : asked.length === 0
          ? `${service} decides no test, ${sent}`
          : `${service} decides ${same} of ${many} alike, ${sent}`,
    ),
    ...[...reasons].map(([reason, names]) =>
      wrap(mark, `not asked, because ${reason}: ${someOf(names)}`, "      "),
    ),
  ].join("\n");
}

const MOST_NAMES = 5;

function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function refusedBlock({ rule, expression, message }: RefusedByService): string {
  const what =
    rule === undefined
      ? "the service refuses the rules, which are valid here"
      : `the service refuses rule ${visibleText(rule)}, which is valid here`;
  return [
    wrap("  ✗ ", what),
    wrap("      service   ", visibleText(message)),
    ...(expression === undefined
      ? []
      : [wrap("      rule      ", visibleText(expression))]),
  ].join("\n");
}

function differenceBlock(
  { name, here, outcome, request, line, column }: LiveTestResult,
  file: string,
): string {
  const disputed = outcome.kind === "different" ? outcome.disputed : undefined;
  return [
    wrap("  ✗ ", visibleText(name)),
    wrap("      here      ", describeDecision(here, "for no rule matches")),
    wrap("      service   ", serviceText(outcome)),
    ...(disputed
      ? [
          wrap("      rule      ", disputeText(disputed)),
          wrap(" ".repeat(16), visibleText(disputed.expression)),
        ]
      : []),
    wrap("      request   ", describeRequest({ headers: {}, ...request })),
    `      at        ${visibleText(file)}:${line}:${column}`,
  ].join("\n");
}

function serviceText(outcome: LiveTestResult["outcome"]): string {
  switch (outcome.kind) {
    case "refused":
      return `refuses the request: ${visibleText(outcome.message)}`;
    case "not asked":
      return "was not asked";
    case "same":
    case "different":
      return decisionText(outcome.service);
  }
}

function decisionText({ result, rule, unknownRule }: LiveDecision): string {
  if (unknownRule !== undefined)
    return `${visibleText(result)} by a rule that the file does not have: ${visibleText(unknownRule)}`;
  if (rule !== undefined)
    return `${visibleText(result)} by ${visibleText(rule)}`;
  return result === "allow"
    ? "allow, for no rule matches"
    : `${visibleText(result)}, without naming a rule`;
}

function disputeText({ name, here, problem }: DisputedRule): string {
  const rule = visibleText(name);
  switch (here) {
    case "matched":
      return `${rule} matches here, and not at the service`;
    case "failed":
      return `${rule} matches at the service, and fails here: ${visibleText(problem ?? "")}`;
    default:
      return `${rule} matches at the service, and not here`;
  }
}
