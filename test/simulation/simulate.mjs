// `npm run simulate -- --seed S --stories N`: tells N random stories to the provider's two
// forms. A story that goes wrong is printed as short as it can be, with the command that
// tells it again.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    stories: { type: "string", default: "20000" },
  },
});
for (const [name, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    console.error(`--${name} takes a number, not ${value}.`);
    process.exit(2);
  }

console.log(`Seed ${values.seed}, ${values.stories} stories`);
const child = spawn(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "unit",
    "test/simulation/random-stories.test.ts",
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      DEVID_SEED: values.seed,
      SIMULATION_STORIES: values.stories,
    },
  },
);
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
