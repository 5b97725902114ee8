// Builds the packages and tools of this repository: code, declarations and bundles.
// Types are not checked here: `npm run check` does that. Does nothing if no input is
// newer than the last build.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(ROOT, "cli/dist/built");
const ROOMS =
  "sdk agent rules review warehouse provider clone service cli policy tools/engine tools/warehouse tools/demo".split(
    " ",
  );
const OTHER_INPUTS = ["package-lock.json", "tsconfig.base.json", "tools"];
const OUTPUTS = new Set(["dist", "node_modules"]);

/** The time of the last change below a path, in ms. A folder changes when a file leaves it. */
function lastChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const times = readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !OUTPUTS.has(name))
    .map(({ name }) => lastChange(join(path, name)));
  return Math.max(stats.mtimeMs, ...times);
}

function isFresh() {
  const isBuilt = ROOMS.every((room) => existsSync(join(ROOT, room, "dist")));
  if (!isBuilt || !existsSync(STAMP)) return false;
  const built = statSync(STAMP).mtimeMs;
  const inputs = [
    ...ROOMS.flatMap((room) => [`${room}/src`, `${room}/package.json`]),
    ...ROOMS.map((room) => `${room}/tsconfig.json`),
    ...["agent", "sdk", "provider", "cli"].map((room) => `${room}/bundle.mjs`),
    ...OTHER_INPUTS,
  ];
  return inputs.every((input) => lastChange(join(ROOT, input)) < built);
}

function run(...args) {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
}

if (!isFresh()) {
  const startedAt = new Date();
  run("agent/bundle.mjs");
  run("node_modules/typescript-native/bin/tsc", "-b", "--noCheck");
  run("tools/packages/remove-stale.mjs");
  run("tools/packages/docs.mjs");
  for (const room of ["sdk", "provider", "cli"]) run(`${room}/bundle.mjs`);
  mkdirSync(join(ROOT, "cli/dist"), { recursive: true });
  writeFileSync(STAMP, `${startedAt.toISOString()}\n`);
}
