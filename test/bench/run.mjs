// Runs a benchmark of this folder: `node test/bench/run.mjs management`. The
// benchmark's TypeScript is bundled, and the packages are the built ones.
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [name] = argv.splice(2, 1);
const outdir = join(here, ".bench");
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [join(here, `${name}.ts`)],
  outdir,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  packages: "external",
  logLevel: "warning",
  plugins: [
    {
      name: "the folder of each source",
      setup(builder) {
        builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
          const text = await readFile(path, "utf8");
          const folder = JSON.stringify(dirname(path));
          return {
            loader: "ts",
            contents: text.replaceAll("__dirname", folder),
          };
        });
      },
    },
  ],
});
await import(join(outdir, `${name}.cjs`));
