import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { COMMON_STORIES } from "./common-stories";
import { Simulator } from "./simulator";

const simulator = openForTests(new Simulator());

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
