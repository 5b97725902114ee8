import { afterAll, beforeAll, expect, it } from "vitest";
import { COMMON_STORIES } from "./common-stories";
import { Simulator } from "./simulator";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

const CASES = COMMON_STORIES.flatMap((story) =>
  (["dynamic", "plugin"] as const).map((form) => ({ ...story, form })),
);

it.each(CASES)("$title ($form)", async ({ form, steps, commands }) => {
  const story = { form, seed: 1, steps };
  const { outcomes, violations, text } = await simulator.play(story);
  expect(violations, text).toEqual([]);
  // The simulator ends every story with commands of its own.
  const played = outcomes.slice(0, commands.length);
  expect(
    played.map(({ isOk, exchanges }) => ({
      isOk,
      writes: exchanges
        .filter(({ method }) => method !== "GET")
        .map(
          ({ method, path }) => `${method} ${path.replace(/[a-z]+_\w+$/, "*")}`,
        )
        .sort(),
    })),
    text,
  ).toEqual(commands);
});
