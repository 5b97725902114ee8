import { describe, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { crashEverywhere } from "./crash-points";
import { CRASH_STORIES } from "./crash-table";
import { inEachForm } from "./forms";
import { Simulator } from "./simulator";

/**
 * Tests that stop each story of the crash table at every `every`th of its points, for
 * both forms of the provider.
 */
export function testCrashPoints(every: number): void {
  const simulator = openForTests(new Simulator());

  describe("a command that is stopped at its points", () => {
    it.each(inEachForm(CRASH_STORIES))(
      "$title ($form)",
      { timeout: 600_000 },
      async (story) => {
        const { title, form } = story;
        const { points, states, failed } = await crashEverywhere(
          simulator,
          story,
          form,
          every,
        );
        console.log(
          `${points - failed.length} of ${points} points hold, which left ${states} states: ${title} (${form})`,
        );
        expect(failed[0]?.text ?? "").toBe("");
      },
    );
  });
}
