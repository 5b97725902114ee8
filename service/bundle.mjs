// Makes the script of the browser agent, which pages import from the service. It goes
// to pages as it is.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeThirdPartyLicenses } from "../tools/bundle/third-party-licenses.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the script. `write: false` returns its text and writes no file. */
export const bundleAgent = ({ write }) =>
  build({
    write,
    entryPoints: [here("agent/script.mts")],
    outdir: here("dist/browser-agent"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { metafile } = await bundleAgent({ write: true });
  writeThirdPartyLicenses(here("THIRD-PARTY-LICENSES"), [metafile]);
}
