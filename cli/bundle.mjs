// Bundles the command line. `node bundle.mjs FOLDER` writes it elsewhere below this
// folder, from where it finds the packages that it does not hold.
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../tools/bundle/bundle-program.mjs";
import { writeThirdPartyLicenses } from "../tools/bundle/third-party-licenses.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const metafile = await bundleProgram({
  entry: here("src/main.ts"),
  outdir: argv[2] ?? here("dist/bundle"),
  external: [
    // Its binaries stand beside its code.
    "@photostructure/sqlite",
    // The same, and it need not be installed.
    "@duckdb/node-api",
    // Fastify loads these on first use, and the service has no use for them: it has
    // compilers of schemas of its own. They were half of Fastify's code.
    "@fastify/ajv-compiler",
    "@fastify/fast-json-stringify-compiler",
    "light-my-request",
  ],
});

if (argv[2] === undefined)
  writeThirdPartyLicenses(here("THIRD-PARTY-LICENSES"), [metafile]);
