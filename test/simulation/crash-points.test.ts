import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashEverywhere } from "./crash-points";
import { CRASH_STORIES } from "./crash-table";
import { knownOf } from "./known";
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
    const { points, failed } = await crashEverywhere(simulator, story, form);
    console.log(
      `${points - failed.length} of ${points} points hold: ${title} (${form})`,
    );
    const known: readonly string[] = knownOf(title, form);
    const found = new Set(failed.flatMap(({ wrong }) => wrong));
    const unknown = failed.filter(({ wrong }) =>
      wrong.some((one) => !known.includes(one)),
    );
    expect(unknown[0]?.text ?? "").toBe("");
    expect([...found].sort(), "mended: take it out of known.ts").toEqual(
      [...known].sort(),
    );
  });
});
