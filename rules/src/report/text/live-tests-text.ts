import { firstOf } from "../describe/shortened";
import type {
  LiveTestReport,
  LiveTestResult,
} from "../../rule-file/run-live-tests";
import { count } from "../describe/numbers";
import { describeRequest } from "../describe/describe-request";
import { visibleText, wrap } from "../describe/visible-text";
import { describeDecision, row } from "./test-block";

/** Whether the service decides a test differently, or refuses what is valid here. */
export const hasLiveDifference = ({ tests }: LiveTestReport) =>
  tests.some(isDifferent);

const isDifferent = ({ outcome: { kind } }: LiveTestResult) =>
  kind === "different" || kind === "refused";

/**
 * Formats the differences of the service for people, a block for each test. Lines have at
 * most 80 columns if names allow it.
 * @param file name of the rule file
 */
export const liveDifferences = (
  { tests }: LiveTestReport,
  file: string,
): string[] =>
  tests.filter(isDifferent).map((test) => differenceBlock(test, file));

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
        `not asked, because ${reason}: ${firstOf(names, MOST_NAMES).join(", ")}`,
        "      ",
      ),
    ),
  ].join("\n");
}

const MOST_NAMES = 5;

const differenceBlock = (
  { name, here, outcome, request, line, column }: LiveTestResult,
  file: string,
): string =>
  [
    wrap("  ✗ ", visibleText(name)),
    row("here", describeDecision(here, "for no rule matches")),
    row("service", serviceText(outcome)),
    row("request", describeRequest({ headers: {}, ...request })),
    `      at        ${visibleText(file)}:${line}:${column}`,
  ].join("\n");

function serviceText(outcome: LiveTestResult["outcome"]): string {
  if (outcome.kind === "refused")
    return `refuses what is valid here: ${outcome.message}`;
  if (outcome.kind === "not asked") return "was not asked";
  const { result, rule, unknownRule } = outcome.service;
  if (unknownRule !== undefined)
    return `${result} by a rule that the file does not have: ${unknownRule}`;
  if (rule !== undefined) return `${result} by ${rule}`;
  return result === "allow"
    ? "allow, for no rule matches"
    : `${result}, without naming a rule`;
}
