// Makes the ES modules of the browser agent, which `tsc` cannot: it leaves the
// import of the hash function as it is.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeThirdPartyLicenses } from "../tools/bundle/third-party-licenses.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const options = {
  outdir: here("dist"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/**
 * Bundles the package's entry and the script that the service serves. The
 * script goes to pages as it is; a page with the package minifies by itself.
 */
export async function bundleAgent({ write }) {
  const [entry, script] = await Promise.all([
    build({ ...options, write, entryPoints: [here("src/index.mts")] }),
    build({
      ...options,
      write,
      entryPoints: [here("src/script.mts")],
      minify: true,
    }),
  ]);
  return {
    files: [...(entry.outputFiles ?? []), ...(script.outputFiles ?? [])],
    metafiles: [entry.metafile, script.metafile],
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { metafiles } = await bundleAgent({ write: true });
  writeThirdPartyLicenses(here("THIRD-PARTY-LICENSES"), metafiles);
}
