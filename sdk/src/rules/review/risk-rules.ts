import type { Estimate, Impact } from "../replay";
import {
  count,
  describePart,
  eventsOf,
  grouped,
} from "../replay/report/event-share";
import { atMost, percentAtMost } from "./event-share";
import { isAbsent, type Review, type Risk } from "./review";

/** What the risk of a change is told from. */
export type Evidence = Pick<Review, "diff" | "findings" | "tests" | "impact">;

/** Something that makes a change a risk. */
export interface RiskRule {
  readonly code: string;
  readonly risk: Exclude<Risk, "low">;
  /** When it does, as docs/review.md says it. */
  readonly doc: string;
  /** What was found; undefined where there is nothing of it. */
  readonly find: (evidence: Evidence) => string | undefined;
}

/** From here on, in percent of the events, what is newly denied is of high risk. */
const MUCH_DENIED = 1;

/** From here on, in percent of the events, too much cannot be told to call the rest harmless. */
const MUCH_UNTOLD = 10;

/** What makes a change a risk, the gravest first. With a sample, the upper bounds count. */
export const RISK_RULES: readonly RiskRule[] = [
  {
    code: "not-compared",
    risk: "high",
    doc: "The rules cannot be compared, for one of the two files is not valid.",
    find: ({ diff }) =>
      isAbsent(diff) ? "the rules cannot be compared" : undefined,
  },
  {
    code: "errors",
    risk: "high",
    doc: "A check of the file finds an error.",
    find: ({ findings }) => {
      const errors = findings.filter(({ severity }) => severity === "error");
      return some(errors.length, count(errors.length, "error"));
    },
  },
  {
    code: "failing-tests",
    risk: "high",
    doc: "A test of the file fails.",
    find: ({ tests }) => {
      const failed = failedTests(tests);
      return some(failed, `${count(failed, "test")} failed`);
    },
  },
  {
    code: "much-newly-denied",
    risk: "high",
    doc: `More than ${MUCH_DENIED}% of the past events would be denied and were not.`,
    find: ofImpact((impact) => {
      const { newlyDenied } = impact.total;
      return percentAtMost(newlyDenied, impact) > MUCH_DENIED
        ? `${part(newlyDenied, impact)} newly denied`
        : undefined;
    }),
  },
  {
    code: "gets-through",
    risk: "medium",
    doc: "A request gets through that did not before, or that cannot be ruled out.",
    find: ({ diff }) => {
      if (isAbsent(diff)) return undefined;
      switch (diff.effect.newlyAllowed.answer) {
        case "found":
          return "requests get through that did not before";
        case "cannot tell":
          return "cannot rule out that requests get through that did not before";
        case "none":
          return undefined;
      }
    },
  },
  {
    code: "newly-denied",
    risk: "medium",
    doc: `Past events would be denied and were not, up to ${MUCH_DENIED}% of them.`,
    find: ofImpact((impact) => {
      const { newlyDenied } = impact.total;
      const isMuch = percentAtMost(newlyDenied, impact) > MUCH_DENIED;
      return isMuch ? undefined : events(newlyDenied, impact, "newly denied");
    }),
  },
  {
    code: "newly-allowed",
    risk: "medium",
    doc: "Past events would be allowed that the rules in force deny.",
    find: ofImpact((impact) =>
      events(impact.total.newlyAllowed, impact, "newly allowed"),
    ),
  },
  {
    code: "much-untold",
    risk: "medium",
    doc: `For more than ${MUCH_UNTOLD}% of the past events it cannot be told what the rules decide.`,
    find: ofImpact((impact) => {
      const { cannotTell } = impact.total;
      return percentAtMost(cannotTell, impact) > MUCH_UNTOLD
        ? `for ${part(cannotTell, impact)} it cannot be told`
        : undefined;
    }),
  },
  {
    code: "denies-unseen",
    risk: "medium",
    doc: "More requests may be denied, and no past events were looked at.",
    find: ({ diff, impact }) =>
      !isAbsent(diff) &&
      diff.effect.newlyDenied.answer !== "none" &&
      (isAbsent(impact) || impact.events === 0)
        ? "more requests may be denied, and no past events tell how many"
        : undefined,
  },
  {
    code: "warnings",
    risk: "medium",
    doc: "A check of the file warns of something that was not there before.",
    find: ({ findings }) => {
      const warnings = findings.filter(
        ({ severity, isKnown }) => severity === "warning" && !isKnown,
      ).length;
      return some(warnings, count(warnings, "new warning"));
    },
  },
];

/** How many tests of a rule file failed. */
export function failedTests(tests: Review["tests"]): number {
  return isAbsent(tests)
    ? 0
    : tests.tests.filter(({ passed }) => !passed).length;
}

const some = (number: number, text: string) => (number > 0 ? text : undefined);

/** What is found in the impact, if it was measured. */
function ofImpact(find: (impact: Impact) => string | undefined) {
  return ({ impact }: Evidence) =>
    isAbsent(impact) ? undefined : find(impact);
}

/** Which part of the past events a number may be: `up to 3.4% of past events`. */
function part(estimate: Estimate, impact: Impact): string {
  const share = describePart(atMost(estimate), eventsOf(impact).value);
  return `${upTo(impact)}${share} of past events`;
}

function events(
  estimate: Estimate,
  impact: Impact,
  what: string,
): string | undefined {
  const most = Math.ceil(atMost(estimate));
  const noun = most === 1 ? "past event" : "past events";
  return some(most, `${upTo(impact)}${grouped(most)} ${noun} ${what}`);
}

const upTo = ({ sample }: Impact) => (sample ? "up to " : "");
