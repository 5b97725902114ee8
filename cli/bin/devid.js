#!/usr/bin/env node
// Runs the bundle of the command line.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bundle = join(__dirname, "../dist/bundle/main.js");
if (existsSync(bundle)) void require(bundle).main(process.argv);
else {
  console.error("devid is not built: run npm run prepare in the repository.");
  process.exitCode = 1;
}
