// Bundles a program of this repository from its sources into a few files. Each file
// holds the code of one command or call. A process that opens ten files starts in half
// the time of one that opens hundreds.
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { smallerUndici } from "./smaller-undici.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The source file of an entry of one of our packages. */
function sourceOf(name) {
  const [scope, short, ...subpath] = name.split("/");
  const folder = realpathSync(here(`../../node_modules/${scope}/${short}`));
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const entry = JSON.parse(manifest).exports[[".", ...subpath].join("/")];
  const source = entry.default.replace("/dist/", "/src/");
  return join(folder, source.replace(/js$/, "ts"));
}

const ourSources = {
  name: "our sources",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@devid\// }, ({ path, kind }) => {
      if (kind === "require-resolve") return { path, external: true };
      return { path: sourceOf(path), sideEffects: false };
    });
    onResolve({ filter: /^undici$/ }, () => ({ path: here("undici.mjs") }));
    // With this import, only the used parts of zod get into the bundle. Without it, the
    // provider host loads twice as much code (docs/benchmarks.md, `npm run bench:load`).
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const contents = (await readFile(path, "utf8"))
        .replace(
          /^import (?:\{ z \}|\* as z) from "(zod|zod\/mini)";/m,
          'import * as z from "$1"; import * as zodCore from "zod/v4/core";',
        )
        .replaceAll("z.core.", "zodCore.");
      return { loader: "ts", contents };
    });
    // Loaded when commander starts another program, which ours never has it do.
    onLoad({ filter: /commander\/lib\/command\.js$/ }, async ({ path }) => ({
      loader: "js",
      contents: (await readFile(path, "utf8")).replace(
        "const childProcess = require('node:child_process');",
        "const childProcess = { get spawn() { return require('node:child_process').spawn; } };",
      ),
    }));
    // Lint reads the user agents of the list, and nothing reads its addresses and dates.
    onLoad({ filter: /crawler-user-agents\.json$/ }, async ({ path }) => {
      const crawlers = JSON.parse(await readFile(path, "utf8"));
      const read = crawlers.map(({ pattern, tags, instances }) => ({
        pattern,
        tags,
        instances,
      }));
      // Node parses a JSON text faster than code.
      const text = JSON.stringify(JSON.stringify(read));
      return {
        loader: "js",
        contents: `module.exports = JSON.parse(${text});`,
      };
    });
  },
};

// Names stay as they are, so that the stack of a defect can be read.
const SMALLER = {
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
};

const OPTIONS = {
  ...SMALLER,
  bundle: true,
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  plugins: [ourSources, smallerUndici],
  logLevel: "warning",
};

/**
 * Writes the bundle of a program whose source is `entry` to one file, for an executable.
 * Returns esbuild's metafile.
 */
export async function bundleFile({ entry, outfile }) {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [entry],
    outfile,
    format: "cjs",
    metafile: true,
  });
  return metafile;
}

/**
 * Puts re2js into a file of its own, which is loaded by the first pattern that needs it. It is
 * a quarter of the code that a check of rules would read otherwise.
 */
const ownRe2js = {
  name: "re2js in a file of its own",
  setup({ onResolve }) {
    onResolve({ filter: /^re2js$/ }, ({ kind }) =>
      kind === "require-call"
        ? { path: "./re2js.js", external: true }
        : undefined,
    );
  },
};

/**
 * Writes the bundle of a program whose source is `entry` to a folder, in place of what is
 * there. Returns esbuild's metafile.
 */
export async function bundleProgram({ entry, outdir, external = [] }) {
  rmSync(outdir, { recursive: true, force: true });
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    // The client is an entry, too, so that tests can load the client of each bundle.
    entryPoints: [
      { in: entry, out: parse(entry).name },
      { in: here("client.mjs"), out: "client" },
      { in: "re2js", out: "re2js" },
    ],
    plugins: [ownRe2js, ...OPTIONS.plugins],
    outdir,
    write: false,
    splitting: true,
    format: "esm",
    metafile: true,
    external,
  });
  await mkdir(outdir, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, text }) =>
      writeFile(path, await asCommonJs(text)),
    ),
  );
  return metafile;
}

/** A file of a bundle as CommonJS, which Node loads sooner, and which esbuild itself cannot split. */
async function asCommonJs(text) {
  const { code } = await transform(text, {
    ...SMALLER,
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
  });
  return code;
}
