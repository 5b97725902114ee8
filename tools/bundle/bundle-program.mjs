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

const CRAWLERS = /crawler-user-agents\.json$/;

/** The list of crawlers without their addresses and dates, which nothing reads. */
async function crawlersOf(path) {
  const crawlers = JSON.parse(await readFile(path, "utf8"));
  return JSON.stringify(
    crawlers.map(({ pattern, tags, instances }) => ({
      pattern,
      tags,
      instances,
    })),
  );
}

const ourSources = {
  name: "our sources",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@devid\// }, ({ path, kind }) => {
      if (kind === "require-resolve") return { path, external: true };
      return { path: sourceOf(path), sideEffects: false };
    });
    // As ES modules, of which only the used parts get into the bundle.
    onResolve({ filter: /^yaml$/ }, () => ({
      path: here("../../node_modules/yaml/browser/dist/index.js"),
      sideEffects: false,
    }));
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
    onLoad({ filter: CRAWLERS }, async ({ path }) => ({
      loader: "json",
      contents: await crawlersOf(path),
    }));
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
 * Puts re2js and the list of crawlers into files of their own, which are loaded when they are
 * first needed. They are half of what a check of rules would read otherwise.
 */
const ownFiles = {
  name: "files of their own",
  setup({ onResolve, onLoad }) {
    for (const [name, file] of OWN_FILES)
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === "require-call"
          ? { path: `./${name}${parse(file).ext}`, external: true }
          : undefined,
      );
    onLoad({ filter: CRAWLERS }, async ({ path }) => ({
      loader: "copy",
      contents: await crawlersOf(path),
    }));
  },
};
const OWN_FILES = [
  ["re2js", "re2js/build/index.js"],
  ["crawler-user-agents", "crawler-user-agents/crawler-user-agents.json"],
];

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
      ...OWN_FILES.map(([name, file]) => ({
        in: here(`../../node_modules/${file}`),
        out: name,
      })),
    ],
    plugins: [ownFiles, ...OPTIONS.plugins],
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
      writeFile(path, path.endsWith(".json") ? text : await asCommonJs(text)),
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
