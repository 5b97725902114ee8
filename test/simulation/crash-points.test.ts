import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashEverywhere } from "./crash-points";
import { CRASH_STORIES } from "./crash-table";
import { Simulator } from "./simulator";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

const CASES = CRASH_STORIES.flatMap((story) =>
  (["dynamic", "plugin"] as const).map((form) => ({ ...story, form })),
);

describe("a command that is stopped at each of its points", () => {
  it.each(CASES)("$title ($form)", { timeout: 600_000 }, async (story) => {
    const { title, form } = story;
    const { points, states, failed } = await crashEverywhere(
      simulator,
      story,
      form,
    );
    console.log(
      `${points - failed.length} of ${points} points hold, which left ${states} states: ${title} (${form})`,
    );
    expect(failed[0]?.text ?? "").toBe("");
  });
});
