import { assertNever } from "../../assert-never";
import type { Severity } from "..";
import { describeChanges } from "./describe-verdict";
import { count } from "../replay/report/event-share";
import { atMost, describeShare, percentAtMost } from "./event-share";
import type { FailCondition } from "./fail-condition";
import { isAbsent, RISKS, type ConditionOutcome, type Review } from "./review";
import { failedTests, type Evidence } from "./risk-rules";

const SEVERITIES: readonly Severity[] = ["note", "warning", "error"];

/**
 * Whether a condition holds. One that is about a part that is absent cannot be
 * judged. Of a sample, the upper bounds are compared.
 */
export function judgeCondition(
  condition: FailCondition,
  evidence: Evidence & Pick<Review, "verdict">,
): ConditionOutcome {
  const { holds, found } = judge(condition, evidence);
  const outcome =
    holds === undefined
      ? "cannot be judged"
      : holds
        ? "holds"
        : "does not hold";
  return { condition: condition.text, outcome, found };
}

const GETS_THROUGH = {
  found: "a request gets through that did not before",
  none: "nothing gets through that did not before",
  "cannot tell": "cannot tell whether anything gets through",
} as const;

/** `holds` is absent where it cannot be judged. */
interface Judgement {
  readonly holds?: boolean;
  readonly found: string;
}

function judge(
  condition: FailCondition,
  evidence: Evidence & Pick<Review, "verdict">,
): Judgement {
  const { diff, findings, tests, verdict } = evidence;
  switch (condition.kind) {
    case "events":
      return judgeEvents(condition, evidence);
    case "lint": {
      const least = SEVERITIES.indexOf(condition.severity);
      const counts = SEVERITIES.slice(least).map((severity) => ({
        severity,
        n: findings.filter((finding) => finding.severity === severity).length,
      }));
      return {
        holds: counts.some(({ n }) => n > 0),
        found: counts.map(({ n, severity }) => count(n, severity)).join(", "),
      };
    }
    case "tests": {
      if (isAbsent(tests)) return { found: tests.absent };
      const failed = failedTests(tests);
      const all = count(tests.tests.length, "test");
      return { holds: failed > 0, found: `${failed} of ${all} failed` };
    }
    case "gets-through": {
      if (isAbsent(diff)) return { found: diff.absent };
      const { answer } = verdict.getsThrough;
      const isOpen = answer === "cannot tell" && condition.orCannotTell;
      return {
        holds: answer === "found" || isOpen,
        found: GETS_THROUGH[answer],
      };
    }
    case "risk":
      return {
        holds: RISKS.indexOf(verdict.risk) >= RISKS.indexOf(condition.risk),
        found: `the risk is ${verdict.risk}`,
      };
    case "changes":
      return isAbsent(diff)
        ? { found: diff.absent }
        : {
            holds: diff.changes.length > 0,
            found: describeChanges(diff),
          };
    default:
      return assertNever(condition);
  }
}

function judgeEvents(
  { outcome, above, unit }: Extract<FailCondition, { kind: "events" }>,
  { impact }: Evidence,
): Judgement {
  if (isAbsent(impact)) return { found: impact.absent };
  const estimate = impact.total[outcome];
  const value =
    unit === "percent" ? percentAtMost(estimate, impact) : atMost(estimate);
  return { holds: value > above, found: describeShare(estimate, impact) };
}
