// Bundles the two programs that the engine starts, each several times in a command:
// the provider plugin, and what Pulumi's dynamic provider host loads of ours.
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../tools/bundle/bundle-program.mjs";
import { writeThirdPartyLicenses } from "../tools/bundle/third-party-licenses.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const outdir = argv[2] ?? here("dist/bundle");

const plugin = await bundleProgram({
  entry: here("src/adapters/plugin/run-plugin.ts"),
  outdir: join(outdir, "plugin"),
});
const host = await bundleProgram({
  entry: here("src/provider.ts"),
  outdir: join(outdir, "host"),
  // The host itself has loaded them.
  external: ["@grpc/grpc-js", "@pulumi/pulumi"],
});

if (argv[2] === undefined)
  writeThirdPartyLicenses(here("THIRD-PARTY-LICENSES"), [plugin, host]);
