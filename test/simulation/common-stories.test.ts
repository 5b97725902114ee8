import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { COMMON_STORIES } from "./common-stories";
import { inEachForm } from "./forms";
import { Simulator } from "./simulator";

const simulator = openForTests(new Simulator());

it.each(inEachForm(COMMON_STORIES))(
  "$title ($form)",
  async ({ form, steps, commands }) => {
    const story = { form, seed: 1, steps };
    const { outcomes, violations, text } = await simulator.play(story);
    expect(violations, text).toEqual([]);
    // The simulator ends every story with commands of its own.
    const played = outcomes.slice(0, commands.length);
    expect(
      played.map(({ isOk, exchanges }) => {
        const writes = exchanges
          .filter(({ method }) => method !== "GET")
          .map(
            ({ method, path }) =>
              `${method} ${path.replace(/[a-z]+_\w+$/, "*")}`,
          );
        return [isOk ? "ok" : "fails", ...writes.sort()].join(", ");
      }),
      text,
    ).toEqual(commands);
  },
);
