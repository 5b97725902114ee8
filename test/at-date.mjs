// Runs a command with another date, in all Node processes that the command starts:
// `node test/at-date.mjs 2030-01-02 npm run check`. Finds tests that will fail after a
// certain day.
import { spawn } from "node:child_process";
import { argv, env, exit } from "node:process";
import { fileURLToPath } from "node:url";

const [, , date = "", command = "", ...args] = argv;
const shiftMs = Date.parse(date) - Date.now();
if (Number.isNaN(shiftMs) || command === "") {
  console.error("Usage: node test/at-date.mjs DATE COMMAND [ARGUMENTS]");
  exit(1);
}
const preload = new URL("helpers/shifted-date.cjs", import.meta.url);
const NODE_OPTIONS = `${env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(fileURLToPath(preload))}`;
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...env, TEST_DATE_SHIFT_MS: String(shiftMs), NODE_OPTIONS },
});
child.on("exit", (code) => exit(code ?? 1));
