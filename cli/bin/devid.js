#!/usr/bin/env node
// Runs the bundle of the command line.
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { setFlagsFromString } = require("node:v8");

// Most commands end within seconds. V8 spends up to half of their processor time on
// optimizing code that runs only a little longer. With these options V8 waits eight times
// as long (docs/benchmarks.md). Other versions of Node have no such option, or another
// name for it, so they run without.
const OPTIMIZE_LATE = {
  20: "--interrupt-budget=540672",
  22: "--invocation-count-for-turbofan=24000",
  24: "--invocation-count-for-turbofan=24000",
};
const option = OPTIMIZE_LATE[parseInt(process.versions.node, 10)];
const endsSoon = !["serve", "lsp"].includes(process.argv[2]);
if (option !== undefined && endsSoon) setFlagsFromString(option);

const bundle = join(__dirname, "../dist/bundle/main.js");
if (existsSync(bundle)) void require(bundle).main(process.argv);
else {
  console.error("devid is not built: run npm run build in the repository.");
  process.exitCode = 1;
}
