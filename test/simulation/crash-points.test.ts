import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashEverywhere } from "./crash-points";
import { CRASH_STORIES } from "./crash-table";
import { Simulator } from "./simulator";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

/** Of so many points one is looked at; the seed says which. */
const EVERY = Number(process.env.SIMULATION_EVERY ?? 1);
const SEED = fc.readConfigureGlobal().seed ?? Date.now();

const CASES = CRASH_STORIES.flatMap((story) =>
  (["dynamic", "plugin"] as const).map((form) => ({ ...story, form })),
);

describe(`a command that is stopped at one of ${EVERY} of its points`, () => {
  it.each(CASES)("$title ($form)", { timeout: 600_000 }, async (story) => {
    const { title, form } = story;
    const { points, states, failed } = await crashEverywhere(
      simulator,
      story,
      form,
      (point) => (point + SEED) % EVERY === 0,
    );
    console.log(
      `${points - failed.length} of ${points} points hold, which left ${states} states: ${title} (${form})`,
    );
    expect(failed[0]?.text ?? "").toBe("");
  });
});
