// The gate in three tiers, of which each holds the one before it:
//   node test/gate.mjs check   format, lint, types, generated files, unit tests, a sample
//                              of the simulation
//   node test/gate.mjs test    and what only an engine, a browser or a package shows
//   node test/gate.mjs deep    everything that takes minutes; only this, without the others
// Further arguments are passed to Vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hasPython } from "./helpers/tools-here.mjs";

const TIERS = {
  check: { projects: ["unit", "simulation"] },
  test: { projects: ["unit", "simulation", "browser", "e2e"], engine: true },
  deep: { projects: ["deep"], engine: true, releaseTools: true },
};

const [tier = "test", ...args] = process.argv.slice(2);
const chosen = TIERS[tier];
if (chosen === undefined) {
  console.error(`The tiers are ${Object.keys(TIERS).join(", ")}, not ${tier}.`);
  process.exit(2);
}
const running = new Set();

/** Runs a command line to its end, and returns whether it succeeded. */
async function run(line, stdio = "inherit") {
  const child = spawn(line, { shell: true, stdio, detached: true });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  running.delete(child);
  if (code !== 0 && output !== "") console.error(output);
  return code === 0;
}

/** Runs command lines one after the other; false at the first that fails. */
async function inTurn(...lines) {
  for (const line of lines) if (!(await run(...line))) return false;
  return true;
}

/** Waits for all; ends the gate with the first failure. */
async function all(...commands) {
  await Promise.all(
    commands.map(async (command) => {
      if (!(await command)) end(1);
    }),
  );
}

function end(code) {
  for (const { pid } of running) process.kill(-pid, "SIGTERM");
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => end(130));

const TSC = "node node_modules/typescript-native/bin/tsc";
const projects = chosen.projects.map((name) => `--project ${name}`);

async function test() {
  if (chosen.engine) {
    const python = hasPython() ? " --python" : "";
    if (!(await run(`node tools/engine/bin/engine.js --yaml${python}`)))
      return false;
  }
  if (chosen.releaseTools && !(await run("npm ci --prefix tools/release")))
    return false;
  // Each of the thousands of test processes would read these certificates, which takes
  // longer than to start Node. Tests reach only this machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return run(["vitest run", ...projects, ...args].join(" "));
}

if (!(await run("npm run -s build"))) end(1);
// The deep tier comes after the others, which have checked the sources.
const checks =
  tier === "deep"
    ? []
    : [
        run("oxfmt --check", "pipe"),
        inTurn(
          [`${TSC} -b`, "pipe"],
          [`${TSC} -p test`, "pipe"],
          [`${TSC} -p test/provider/types`, "pipe"],
          [`${TSC} -p examples/shop`, "pipe"],
          ["oxlint --deny-warnings", "pipe"],
        ),
      ];
await all(...checks, test());
