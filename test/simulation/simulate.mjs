// `npm run simulate -- --seed S --stories N`: stops the stories of the crash table at
// every point, and runs N random stories, for both forms of the provider. A story with
// a violation is printed as short as possible. With `--engine`, the stories run on the
// model and on a real engine, and the provider's calls are compared.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    engine: { type: "boolean", default: false },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    stories: { type: "string" },
  },
});
const { engine, seed, stories = engine ? "50" : "20000" } = values;
for (const [name, value] of Object.entries({ seed, stories }))
  if (!/^\d+$/.test(value)) {
    console.error(`--${name} takes a number, not ${value}.`);
    process.exit(2);
  }

console.log(`Seed ${seed}, ${stories} stories`);
const child = spawn(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...(engine
      ? ["test/simulation/engine-agrees.deep.test.ts"]
      : [
          "test/simulation/crash-points.deep.test.ts",
          "test/simulation/random-stories.deep.test.ts",
        ]),
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      DEVID_SEED: seed,
      [engine ? "SIMULATION_ENGINE_STORIES" : "SIMULATION_STORIES"]: stories,
    },
  },
);
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
