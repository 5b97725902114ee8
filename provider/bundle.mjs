// Bundles the provider plugin into one file, from the built code: it loads in a
// third of the time that its hundreds of modules take.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: [here("dist/adapters/plugin/run-plugin.js")],
  outfile: here("dist/pulumi-resource-devid.js"),
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  legalComments: "none",
  logLevel: "warning",
});
