import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { playRandomStories } from "./random-stories";
import { Simulator } from "./simulator";

/** A test that plays random stories, for both forms of the provider. */
export function testRandomStories(count: number): void {
  const simulator = openForTests(new Simulator());

  it(
    `nothing goes wrong in ${count} random stories`,
    { timeout: 0 },
    async () => {
      const tally = { stories: 0, settled: 0 };
      const cpu = process.cpuUsage();
      await playRandomStories(simulator, count, tally);
      const { user, system } = process.cpuUsage(cpu);
      console.log(
        `${tally.stories} stories, ${tally.settled} of them with a last up that went well; ${Math.round((user + system) / 1_000_000)} s of processor time`,
      );
      expect(tally.settled).toBeGreaterThan(tally.stories / 3);
    },
  );
}
