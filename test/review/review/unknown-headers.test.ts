import fc from "fast-check";
import { expect, it } from "vitest";
import { measureImpact } from "@devid/review/replay";
import { diffRules } from "../../../rules/src/diff/diff-rules";
import { atMost } from "../../../review/src/replay/impact-numbers";
import { MAX_UNDETERMINED, parseFailCondition } from "../../../review/src";
import { judgeCondition } from "../../../review/src/review/fail-condition";
import { verdictOf } from "../../../review/src/review/risk-rules";
import { judge } from "../replay/brute-force";
import {
  compound,
  eachEvent,
  END,
  event,
  rules,
  START,
} from "../replay/random-replay";

const HEADERS = ["X-A", "X-B"];

it("the bounds contain the truth, and a gate opens only if it opens for every value of the unknown headers", async () => {
  const seen = { opened: 0, shut: 0, shutByUnknown: 0, notJudged: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 12 }),
      rules(compound),
      rules(compound),
      fc.record({
        percent: fc.constantFrom(0, 10, 30, 60),
        maxUndetermined: fc.constantFrom(0, MAX_UNDETERMINED, 50, 100),
        assumeNotSent: fc.subarray(HEADERS),
        // The possible world that each event comes from.
        worlds: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      }),
      async (made, inForce, proposed, options) => {
        const { percent, maxUndetermined, assumeNotSent, worlds } = options;
        const events = made.map((one) => ({ ...one, timestamp: START }));
        const impact = await measureImpact(eachEvent(events), {
          ...{ inForce, proposed, assumeNotSent },
          ...{ start: START, end: END },
        });
        const judged = events.map((one) =>
          judge(one, inForce, proposed, assumeNotSent),
        );
        const diff = diffRules(inForce, proposed);
        const evidence = {
          base: { name: "main" },
          diff,
          impact,
          minEvents: 0,
          maxUndetermined,
          newlyAssumed: [],
          findings: [],
          tests: { absent: "none" },
        };
        const review = { ...evidence, verdict: verdictOf(evidence) };
        for (const [name, outcome, from, to] of [
          ["newly-denied", "newlyDenied", "allow", "deny"],
          ["newly-allowed", "newlyAllowed", "deny", "allow"],
        ] as const) {
          const truth = judged.filter(({ before, after }, n) => {
            const world = (worlds[n] ?? 0) % before.results.length;
            return (
              before.results[world] === from && after.results[world] === to
            );
          }).length;
          expect(impact.total[outcome].value).toBeLessThanOrEqual(truth);
          expect(atMost(impact.possible[outcome])).toBeGreaterThanOrEqual(
            truth,
          );

          const most = judged.filter(({ changes }) => changes.has(outcome));
          const isShutByOne = (100 * most.length) / events.length > percent;
          const condition = parseFailCondition(`${name}>${percent}%`);
          const judgement = judgeCondition(condition, review).outcome;
          if (judgement === "does not hold") {
            expect(isShutByOne).toBe(false);
            seen.opened += 1;
          } else seen.shut += 1;
          if (judgement === "cannot be judged") seen.notJudged += 1;
          const least = (100 * impact.total[outcome].value) / events.length;
          if (isShutByOne && least <= percent) seen.shutByUnknown += 1;
        }
      },
    ),
    { numRuns: 125 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(15);
}, 120_000);
