import { RuleFileError, runRuleTests, type RuleFile } from "@devid/rules";
import type { Hits, PastEvents } from "./past-events";

/** What is shown beside a rule. */
export interface RuleHint {
  /** From 0: the line of its name. */
  readonly line: number;
  readonly text: string;
}

/**
 * The hints for each rule of a file, from tests and past events. Empty while an
 * expression is not valid.
 */
export function ruleHints(file: RuleFile, events?: PastEvents): RuleHint[] {
  try {
    const { tests } = file;
    const report = tests.length > 0 ? runRuleTests(file) : undefined;
    const hits = events?.hitsOf(file.rules);
    return file.rules
      .map(({ name, status }, index) => {
        const { line } = file.placeOf(["rules", index, "name"]);
        const reached = report?.coverage.enabled.find(
          (one) => one.rule === name,
        );
        const failed = report?.tests.filter(
          ({ passed, expected, got }) =>
            !passed && (expected.rule === name || got.rule === name),
        ).length;
        const said = [
          status === "disabled" ? "disabled" : undefined,
          reached && testsText(reached.tests, failed ?? 0),
          hits && eventsText(hits.of.get(name), hits.events),
        ].filter((one) => one !== undefined);
        return { line: line - 1, text: said.join(", ") };
      })
      .filter(({ text: said }) => said !== "");
  } catch (error) {
    if (error instanceof RuleFileError) return [];
    throw error;
  }
}

function testsText(reached: number, failed: number): string {
  const decided =
    reached === 0
      ? "reached by no test"
      : `decides ${reached} ${reached === 1 ? "test" : "tests"}`;
  return failed === 0 ? decided : `${decided}, ${failed} failing`;
}

const eventsText = (
  { decided, undetermined }: Hits = { decided: 0, undetermined: 0 },
  count: number,
) =>
  `${decided} of ${count} events${undetermined > 0 ? ` (${undetermined} undetermined)` : ""}`;
