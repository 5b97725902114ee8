// Bundles the provider plugin into one file, from the built code. The engine starts
// the plugin several times in each command, and one file loads faster than hundreds.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the plugin; `minify` halves the time that Node.js takes to read it. */
export async function bundlePlugin({ write, metafile = false }) {
  return build({
    entryPoints: [here("dist/adapters/plugin/run-plugin.js")],
    outfile: here("dist/pulumi-resource-devid.js"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    write,
    metafile,
  });
}

if (argv[1] === fileURLToPath(import.meta.url))
  await bundlePlugin({ write: true });
