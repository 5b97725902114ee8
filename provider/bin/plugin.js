// The provider plugin, for the Node.js that runs it.
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { loadBundle } = require("./load-bundle.js");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `The provider plugin devid needs Node.js 20.19 or later; this is ${process.version}.`,
  );
  process.exit(1);
}
const { runPlugin } = loadBundle("plugin/run-plugin.js");
void runPlugin((name) => readFileSync(join(dirname(__dirname), name), "utf8"));
