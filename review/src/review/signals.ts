import { count, grouped } from "@devid/rules/internals";
import { describeChanges, isIncompleteLint, type Severity } from "@devid/rules";
import { judgedEffect } from "./judged-effect";
import { isAbsent, type Review } from "./review";

/** The parts of a review that decide its risk, and whether it fails. */
export type Evidence = Pick<
  Review,
  | "base"
  | "diff"
  | "findings"
  | "tests"
  | "impact"
  | "minEvents"
  | "maxUndetermined"
  | "newlyAssumed"
  | "plan"
  | "policies"
  | "failure"
>;

/** What the evidence says of one question about a change. */
export interface Signal {
  /** Whether it is so; absent if that is not known. */
  readonly isSo?: boolean;
  /** What was found, or why it is not known. */
  readonly text: string;
  /** The same behind the name of the question, if that says it better: `1 of 2 failed`. */
  readonly named?: string;
  /** A search that found nothing, and proved nothing. */
  readonly isUnproven?: true;
}

/** The questions that risk and `--fail-on` ask of the same evidence. */
export const SIGNALS = {
  changes: ({ diff }) =>
    isAbsent(diff)
      ? { text: diff.absent }
      : { isSo: diff.changes.length > 0, text: describeChanges(diff) },
  "plan-differs": ({ plan }) => {
    if (plan === undefined) return { text: "no preview was given" };
    if (isAbsent(plan)) return { text: plan.absent };
    const { length } = plan.differences;
    return length === 0
      ? { isSo: false, text: "the plan does what the file says" }
      : {
          isSo: true,
          text: `the plan does something else than the file says (${count(length, "difference")})`,
        };
  },
  policies: (evidence) => violated(evidence, false, "policy violation"),
  "policies-advise": (evidence) =>
    violated(evidence, true, "advisory violation"),
  tests: ({ tests }) => {
    if (isAbsent(tests)) return { text: tests.absent };
    if (tests.tests.length === 0) return { text: "the file has no tests" };
    const failed = failedTests(tests);
    const { length } = tests.tests;
    const [isSo, number, what] =
      failed > 0
        ? ([true, failed, "failed"] as const)
        : ([false, length, "passed"] as const);
    return {
      isSo,
      text: `${grouped(number)} of ${count(length, "test")} ${what}`,
      named: `${grouped(number)} of ${grouped(length)} ${what}`,
    };
  },
  "fewer-tests": ({ tests, base }) => {
    if (isAbsent(tests)) return { text: tests.absent };
    if (base.isMissing)
      return { isSo: false, text: "the base has no such file" };
    if (base.tests === undefined)
      return { text: "the base is not a rule file, so it has no tests" };
    const { length } = tests.tests;
    return {
      isSo: length < base.tests,
      text: `${count(length, "test")}, and ${grouped(base.tests)} in the base`,
    };
  },
  "gets-through": (evidence) => {
    const { newlyAllowed } = judgedEffect(evidence);
    if (isAbsent(newlyAllowed)) return { text: newlyAllowed.absent };
    switch (newlyAllowed.answer) {
      case "found":
        return { isSo: true, text: "requests get through that did not before" };
      case "none":
        return {
          isSo: false,
          text: "nothing gets through that did not before",
        };
      case "cannot tell":
        return { isSo: false, isUnproven: true, text: UNPROVEN };
    }
  },
  "lint:error": ({ findings }) => foundByLint(findings, ["error"]),
  "lint:warning": ({ findings }) => foundByLint(findings, ["warning", "error"]),
  "lint:note": ({ findings }) =>
    foundByLint(findings, ["note", "warning", "error"]),
} as const satisfies Readonly<Record<string, (evidence: Evidence) => Signal>>;

/** The name of a signal. */
export type SignalName = keyof typeof SIGNALS;

/** Says that nothing was found that gets through, and nothing was proved. */
export const UNPROVEN =
  "cannot rule out that requests get through that did not before";

function violated(
  { policies, plan }: Evidence,
  isAdvisory: boolean,
  noun: string,
): Signal {
  if (policies === undefined)
    return { text: "no events of the preview were given" };
  if (isAbsent(policies)) return { text: policies.absent };
  const { length } = policies.violations.filter(
    (one) => one.isAdvisory === isAdvisory,
  );
  if (length > 0) return { isSo: true, text: count(length, noun) };
  // A preview that failed may have asked only some policies, or none.
  if (plan !== undefined && isAbsent(plan)) return { text: plan.absent };
  return policies.packs.length === 0
    ? { text: "no policy was asked" }
    : { isSo: false, text: count(length, noun) };
}

function foundByLint(
  all: Review["findings"],
  severities: readonly Severity[],
): Signal {
  const findings = all.filter((finding) => !isIncompleteLint(finding));
  const numberOf = (severity: Severity) =>
    findings.filter((finding) => finding.severity === severity).length;
  const isSo = severities.some(numberOf);
  if (!isSo && findings.length < all.length)
    return { text: "lint did not check everything" };
  return {
    isSo,
    text: severities.map((each) => count(numberOf(each), each)).join(", "),
  };
}

/** The number of failed tests of a rule file. */
export function failedTests(tests: Review["tests"]): number {
  return isAbsent(tests)
    ? 0
    : tests.tests.filter(({ passed }) => !passed).length;
}
