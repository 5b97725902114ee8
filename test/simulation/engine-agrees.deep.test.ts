import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINE_STORY, sideBySide } from "./engine-stories";
import { onEngine, onModel, type ComparedCommand } from "./on-engine";
import { randomEngineStories } from "./random-stories";
import { Simulator } from "./simulator";
import type { Story } from "./story";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

describe("the model of the engine", () => {
  it.each([
    { form: "dynamic", seed: 100 },
    { form: "plugin", seed: 200 },
  ] as const)(
    "makes the calls of the engine in 25 stories side by side: same kind, same inputs, same order for each resource ($form)",
    { timeout: 400_000 },
    async ({ form, seed }) => {
      const steps = sideBySide(ENGINE_STORY, 24, seed);
      await compare({ form, seed: 1, steps });
    },
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
      await compare({ form, seed: at, steps });
    },
  );
});

async function compare(story: Story): Promise<void> {
  // This test compares what the commands do, and ignores violations.
  const result = await simulator.play(story, { continuesAfterViolation: true });
  const model = onModel(story, result);
  const engine = await onEngine(story, result);
  const failures = engine
    .filter(({ isOk }, at) => isOk !== model[at]?.isOk)
    .map(({ title, printed }) => `\n${title} on the engine: ${printed}`);
  const shown = result.text + failures.join("");
  expect(byResource(model), shown).toEqual(byResource(engine));
}

/**
 * The calls of each command, grouped by resource. Calls of different resources run in
 * parallel and have no order.
 */
const byResource = (commands: readonly ComparedCommand[]) =>
  commands.map(({ title, isOk, calls }, at) => {
    const urns = [...new Set(calls.map(({ urn }) => urn))].sort();
    return {
      command: `${at}: ${title}`,
      isOk,
      calls: urns.flatMap((urn) =>
        calls
          .filter((call) => call.urn === urn)
          .map(({ text }) => `${urn} ${text}`),
      ),
    };
  });
