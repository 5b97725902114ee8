// Makes the ES modules of the package beside the CommonJS of tsc, so that who
// bundles one import for the web carries only what it uses of the schemas. Puts the code
// of undici into the package, for both.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { smallerUndici } from "../tools/bundle/smaller-undici.mjs";
import { writeThirdPartyLicenses } from "../tools/bundle/third-party-licenses.mjs";
import manifest from "./package.json" with { type: "json" };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const entries = Object.values(manifest.exports);
const outdir = here("dist/esm");

/**
 * Gives bundled code the modules of Node without `require`, which ES modules lack, and
 * without `import`, which bundlers for other platforms cannot resolve.
 */
const nodeModules = {
  name: "modules of Node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ path }) =>
      path.startsWith("node:") || isBuiltin(path)
        ? { path, namespace: "node" }
        : undefined,
    );
    // undici looks for some modules that old versions of Node lack.
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `
        const found = process.getBuiltinModule("${path}");
        if (!found) throw new Error("Node has no module ${path}.");
        module.exports = found;`,
    }));
  },
};

const { metafile } = await build({
  entryPoints: [here("../tools/bundle/undici.mjs")],
  outfile: here("dist/http/undici.js"),
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true,

  format: "cjs",
  platform: "node",
  target: "es2022",
  plugins: [smallerUndici, nodeModules],
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});
await rm(here("dist/http/undici.js.map"), { force: true });
writeThirdPartyLicenses(here("THIRD-PARTY-LICENSES"), [metafile]);

/** The file above, as the ES modules of `dist/esm` see it. */
const bundledUndici = {
  name: "undici",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/undici\.js$/ }, () => ({
      path: "../http/undici.js",
      external: true,
    }));
  },
};

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
  plugins: [bundledUndici],
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
