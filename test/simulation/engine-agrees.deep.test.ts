import { describe, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { COMMON_STORIES } from "./common-stories";
import { ENGINE_STORY, sideBySide } from "./engine-stories";
import { inEachForm } from "./forms";
import { expectEngineAgrees } from "./on-engine";
import { randomEngineStories } from "./random-stories";
import { Simulator } from "./simulator";

const simulator = openForTests(new Simulator());

describe("the model of the engine", () => {
  it.each([
    { form: "dynamic", seed: 100 },
    { form: "plugin", seed: 200 },
  ] as const)(
    "makes the calls of the engine in 25 stories side by side: same kind, same inputs, same order for each resource ($form)",
    { timeout: 400_000 },
    async ({ form, seed }) => {
      const steps = sideBySide(ENGINE_STORY, 24, seed);
      await expectEngineAgrees(simulator, { form, seed: 1, steps });
    },
  );

  it.each(inEachForm(COMMON_STORIES))(
    "makes the calls of the engine: $title ($form)",
    ({ form, steps }) =>
      expectEngineAgrees(simulator, { form, seed: 1, steps }),
  );

  // `npm test` runs no random stories here, because each command of the engine takes
  // seconds.
  const stories = randomEngineStories(
    Number(process.env.SIMULATION_ENGINE_STORIES ?? 0),
    Number(process.env.DEVID_SEED ?? 20),
  );
  it.each(stories.map((steps, at) => ({ at, steps })))(
    "makes the calls of the engine in the random story $at",
    { timeout: 400_000 },
    async ({ at, steps }) => {
      const form = at % 2 === 0 ? "dynamic" : "plugin";
      await expectEngineAgrees(simulator, { form, seed: at, steps });
    },
  );
});
