// Builds the packages and tools of this repository: code, declarations and bundles.
// Types are not checked here: `npm run check` does that. Does nothing if no input is
// newer than the last build.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFresh } from "./build-freshness.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(ROOT, "cli/dist/built");
const ROOMS =
  "sdk rules review warehouse provider clone service cli policy tools/engine tools/warehouse tools/demo".split(
    " ",
  );
const BUNDLED = ["service", "sdk", "provider", "cli"];

const inRoot = (path) => join(ROOT, path);

/** What a build reads. */
const INPUTS = {
  sources: [...ROOMS.map((room) => `${room}/src`), "service/agent"].map(inRoot),
  files: [
    ...ROOMS.map((room) => `${room}/package.json`),
    ...ROOMS.map((room) => `${room}/tsconfig.json`),
    ...BUNDLED.map((room) => `${room}/bundle.mjs`),
    "package-lock.json",
    "tsconfig.base.json",
    "tools",
  ].map(inRoot),
};

function run(...args) {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
}

const isBuilt = ROOMS.every((room) => existsSync(inRoot(`${room}/dist`)));
if (!isBuilt || !isFresh(STAMP, INPUTS)) {
  const startedAt = new Date();
  run("service/bundle.mjs");
  run("node_modules/typescript-native/bin/tsc", "-b", "--noCheck");
  run("tools/packages/remove-stale.mjs");
  run("tools/packages/docs.mjs");
  for (const room of ["sdk", "provider", "cli"]) run(`${room}/bundle.mjs`);
  mkdirSync(inRoot("cli/dist"), { recursive: true });
  writeFileSync(STAMP, `${startedAt.toISOString()}\n`);
}
