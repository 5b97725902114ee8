import { isAbsent, RISKS, type Verdict } from "./review";
import { RISK_RULES, type Evidence } from "./risk-rules";

/** What a reviewer has to know first of what was found. */
export function verdictOf(evidence: Evidence): Verdict {
  const reasons = RISK_RULES.flatMap(({ code, risk, find }) => {
    const text = find(evidence);
    return text === undefined ? [] : [{ code, risk, text }];
  });
  const grades = reasons.map(({ risk }) => RISKS.indexOf(risk));
  const { diff } = evidence;
  return {
    risk: RISKS[Math.max(0, ...grades)] ?? "low",
    reasons,
    getsThrough: isAbsent(diff)
      ? { answer: "cannot tell" }
      : diff.effect.newlyAllowed,
  };
}
