import { describe, expect, it } from "vitest";
import { RISK_RULES } from "../../../review/src/review/risk-rules";
import { sampleReview } from "./sample-review";
import { cellsOf } from "../../helpers/cells-of";
import { situation } from "./situations";
import { textOf } from "../../helpers/repository";

/** A situation (`situations.ts`), its risk, and the reasons. */
const GRADED = `
clean events:1000 | low
broken events:1000 | high | not-compared: the rules cannot be compared | errors: 1 error
clean base-invalid events:1000 | high | not-compared: the rules cannot be compared
clean failing:2 events:1000 | high | failing-tests: 2 of 3 tests failed
clean base-tests:3 events:1000 | medium | fewer-tests: 0 tests, and 3 in the base
clean base-empty denied:11 | high | much-newly-denied: 1.1% of past events newly denied
clean base-empty denied:10 | medium | newly-denied: 10 past events newly denied
clean base-empty denied:0 | low
clean base-empty sample-denies:10.5 | high | much-newly-denied: up to 1.1% of past events newly denied
clean base-empty sample-denies:0.4 | medium | newly-denied: up to 1 past event newly denied
clean base-more allowed:1 | medium | gets-through: requests get through that did not before | newly-allowed: 1 past event newly allowed
clean base-empty undetermined:50 | low
clean base-empty undetermined:51 | medium | much-undetermined: 5.1% of past events are undetermined
clean base-empty undetermined:1 --max-undetermined:0 | medium | much-undetermined: 0.1% of past events are undetermined
clean base-empty may-deny:11 | high | much-newly-denied: up to 1.1% of past events newly denied
clean base-empty may-deny:1000 | high | much-newly-denied: up to 100% of past events newly denied | much-undetermined: 100% of past events are undetermined
clean base-empty may-deny:2 | medium | newly-denied: up to 2 past events newly denied
clean base-more events:1000 | medium | gets-through: requests get through that did not before
clean base-opaque events:1000 | medium | gets-through: cannot rule out that requests get through that did not before
clean base-missing events:1000 | medium | gets-through: cannot rule out that requests get through that did not before
clean base-missing plan-agrees events:1000 | low
clean base-empty no-key | medium | denies-unseen: more requests may be denied, and there are no past events to count them
clean base-empty events:0 | medium | denies-unseen: more requests may be denied, and there are no past events to count them
clean base-empty denied-of-99:1 | high | much-newly-denied: 1% of past events newly denied | denies-unseen: more requests may be denied, and there are too few past events to count them (99, fewer than 100)
clean base-empty unreadable | medium | denies-unseen: more requests may be denied, and 3 rows of the past events could not be read
clean base-empty events:1 --min-events:0 | low
clean base-empty sample-of-50 | low
clean sample-rules-nothing-out | low
clean plan-adds events:0 | high | plan-differs: the plan does something else than the file says (1 difference) | denies-unseen: more requests may be denied, and there are no past events to count them
clean plan-swaps sample-denies:75 | high | plan-differs: the plan does something else than the file says (2 differences) | much-newly-denied: up to 7.5% of past events newly denied | gets-through: requests get through that did not before
clean plan-agrees events:1000 | low
clean plan-failed events:1000 | high | not-planned: what the deployment does is not known
clean warned events:1000 | medium | warnings: 1 new warning
clean warned base-warned-first events:1000 | low
`;

describe("the risk of a change", () => {
  it.each(cellsOf(GRADED))("of %s is %s", (words = "", risk, ...texts) => {
    const { verdict } = sampleReview(situation(words));
    expect(verdict.reasons.map(({ code, text }) => `${code}: ${text}`)).toEqual(
      texts,
    );
    expect(verdict.risk).toBe(risk);
  });

  it("has each of its rules in docs/review.md, word for word", () => {
    const page = textOf("docs/review.md");
    const [, risks = ""] = page.split("\n## Risk\n");
    for (const level of ["high", "medium"]) {
      const [, list = ""] =
        RegExp(`^${level}:\n\n((?:- .*\n)+)`, "im").exec(risks) ?? [];
      expect(list.trimEnd().split("\n")).toEqual(
        RISK_RULES.filter(({ risk }) => risk === level).map(
          ({ code, doc }) => `- \`${code}\`: ${doc}`,
        ),
      );
    }
  });
});
