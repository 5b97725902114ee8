// The gate: format, types, lint and tests. `npm test` runs all of it, `npm run check`
// only the steps that need no engine. The arguments are passed to Vitest. Steps that
// can
// run at the same time do so, because the gate keeps two cores busy.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hasPython } from "./helpers/tools-here.mjs";

const args = process.argv.slice(2);
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

/** Runs command lines at once; ends the gate with the first failure. */
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

const chosen =
  args.length > 0
    ? args
    : ["unit", "simulation", "browser", "e2e*"].map(
        (name) => `--project "${name}"`,
      );
const tests = ["vitest run", ...chosen].join(" ");
const engine = `node tools/engine/bin/engine.js --yaml ${hasPython() ? "--python" : ""}`;

async function test() {
  if (args.length === 0 && !(await run(engine))) return false;
  // Each of the thousands of test processes would read these certificates, which takes
  // longer than to start Node. Tests reach only this machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return run(tests);
}

async function build() {
  if (!(await run("npm run -s prepare"))) return false;
  await all(run("oxlint --deny-warnings", "pipe"), test());
  return true;
}

await all(run("prettier --check --log-level warn .", "pipe"), build());
