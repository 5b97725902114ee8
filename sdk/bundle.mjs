// Makes the ES modules of the package beside the CommonJS of tsc, so that who
// bundles one import for the web carries only what it uses of the schemas.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import manifest from "./package.json" with { type: "json" };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const entries = Object.values(manifest.exports);
const outdir = here("dist/esm");

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: entries.map(({ import: module, default: common }) => ({
    in: here(common.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
    out: relative(outdir, here(module.default)).replace(/\.mjs$/, ""),
  })),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  packages: "external",
  target: "es2022",
  sourcemap: true,
  sourcesContent: true,
  legalComments: "none",
  logLevel: "warning",
});

/** The types of an ES module are those of the CommonJS one. */
for (const { import: module, types } of entries) {
  const file = here(module.types);
  const common = relative(dirname(file), here(types)).replace(
    /\.d\.ts$/,
    ".js",
  );
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `export * from "${common}";\n`);
}
