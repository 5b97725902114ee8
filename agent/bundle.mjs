// Makes the ES modules of the browser agent, which `tsc` cannot: it leaves the
// import of the hash function as it is.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const options = {
  outdir: here("dist"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
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
  return [...(entry.outputFiles ?? []), ...(script.outputFiles ?? [])];
}

if (argv[1] === fileURLToPath(import.meta.url))
  await bundleAgent({ write: true });
