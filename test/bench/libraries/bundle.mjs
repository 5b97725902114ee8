// Bundles the floors of two commands as the command line itself is bundled.
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../../../tools/bundle/bundle-program.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

for (const name of ["check", "serve"])
  await bundleProgram({
    entry: here(`${name}.mjs`),
    outdir: here(`../.bench/${name}`),
    external: [
      "@photostructure/sqlite",
      "@fastify/ajv-compiler",
      "@fastify/fast-json-stringify-compiler",
      "light-my-request",
    ],
  });
