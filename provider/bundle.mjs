// Bundles the provider plugin, which the engine starts several times in each command.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../tools/bundle/bundle-program.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await bundleProgram({
  entry: here("src/adapters/plugin/run-plugin.ts"),
  outdir: argv[2] ?? here("dist/bundle"),
});
