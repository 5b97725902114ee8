// Runs at the start of every Pulumi program, provider host and `devid` process that a
// test of the engine starts. Such a process runs for about a second, and mostly loads
// code.
const { createHash, randomUUID } = require("node:crypto");
const fs = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");

// Pulumi loads the TypeScript compiler and npm's packages in order to serialise
// functions and to run programs in TypeScript; tracing and the Automation API are
// part of each process, too. Our resources have no functions to serialise, so all
// of it is loaded on first use. esbuild compiles the programs.
const LATE = new RegExp(
  `^(${[
    "@npmcli/arborist",
    "normalize-package-data",
    "@opentelemetry/(?!api$).*",
    "typescript",
    "[./]+/typescript-shim",
    "./automation",
    "./closure/(codePaths|serializeClosure)",
    "./provider",
    "js-yaml",
    "semver",
  ].join("|")})$`,
);
const TS_NODE = /\/ts-node@[\d.]+$/;
const SOURCE_MAPS = "source-map-support/register";
// A debugger's session, in which V8 reports each script that it compiles. Pulumi opens
// it for each program, and uses it only to serialise functions.
const V8_HOOKS = "../../runtime/closure/v8Hooks";
const load = Module._load;

/** The functions of the TypeScript compiler that Pulumi calls before it runs a program. */
const asked = {
  version: () => require("typescript/package.json").version,
  parseConfigFileTextToJson: () => () => ({ config: {} }),
};

/** The source maps of a program's files. */
const sourceMaps = new Map();

/** Compiles the TypeScript files of a program without checking their types. */
function compilePrograms() {
  Module._extensions[".ts"] = (module, filename) => {
    const { code, map } = compiled(fs.readFileSync(filename, "utf8"));
    const url = JSON.stringify(filename);
    sourceMaps.set(filename, {
      url: filename,
      map: map.replace(NAME, () => url),
    });
    module._compile(code, filename);
  };
}

/** Stands for the name of a program's file in its source map. */
const NAME = '"program.ts"';
const SETTINGS = {
  format: "cjs",
  loader: "ts",
  platform: "node",
  sourcefile: JSON.parse(NAME),
  sourcemap: "external",
  target: "es2022",
};

/** The JavaScript of a program's text, from the cache if there is one. */
function compiled(text) {
  const hash = createHash("sha1")
    .update(JSON.stringify([SETTINGS, text]))
    .digest("hex");
  const file = folder && join(folder, `program-${hash}.json`);
  if (file && fs.existsSync(file))
    return JSON.parse(fs.readFileSync(file, "utf8"));
  const { code, map } = require("esbuild").transformSync(text, SETTINGS);
  if (file) writeWhole(file, JSON.stringify({ code, map }));
  return { code, map };
}

/** Maps the stacks of errors to the program; Pulumi's own files stay as they are. */
function mapPrograms(sourceMapSupport) {
  sourceMapSupport.install({
    overrideRetrieveSourceMap: true,
    retrieveSourceMap: (filename) => sourceMaps.get(filename) ?? null,
  });
}

Module._load = function (request, parent, isMain) {
  const loaded = () => load.call(Module, request, parent, isMain);
  if (!/@pulumi.pulumi\b/.test(parent?.filename ?? "")) return loaded();
  if (TS_NODE.test(request)) return { register: compilePrograms };
  if (request === SOURCE_MAPS)
    return mapPrograms(load("source-map-support", parent, isMain));
  if (request === V8_HOOKS) return { isInitializedAsync: async () => {} };
  if (!LATE.test(request)) return loaded();
  return new Proxy(
    { __esModule: true },
    {
      get(_, name) {
        if (name === "__esModule") return true;
        if (Object.hasOwn(asked, name)) return asked[name]();
        // Pulumi reads these functions when it starts, and calls them on use.
        if (/closure/.test(request))
          return (...args) => loaded()[name](...args);
        return name === "default" ? loaded() : loaded()[name];
      },
    },
  );
};

// Compiled code of V8 is cached for later processes, as Node 22 does with
// NODE_COMPILE_CACHE.
const folder = process.env.TEST_CODE_CACHE;
const main = process.argv[1];
if (folder && main) keepCode(main);

function keepCode(main) {
  const name = `${basename(dirname(main))}-${basename(main)}-${process.version}`;
  const file = join(folder, name);
  const kept = readKept(file);
  const scripts = new Map();
  let isNew = false;

  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename) {
    // The programs of tests are different in each run. A script of ours cannot
    // load modules with `import()`.
    const isKept = /[\\/](node_modules|dist)[\\/]/.test(filename);
    if (!isKept || /\bimport\(/.test(content))
      return compile.call(this, content, filename);
    const text = Module.wrap(content.replace(/^#!.*/, ""));
    // Compiled code contains the path of its file, which stacks show.
    const key = createHash("sha1")
      .update(`${filename}\n${text}`)
      .digest("base64");
    const cachedData = kept.get(key);
    const script = new vm.Script(text, { filename, cachedData });
    scripts.set(key, script);
    isNew ||= !cachedData || script.cachedDataRejected;
    const require = (id) => this.require(id);
    require.resolve = (id, options) =>
      Module.createRequire(filename).resolve(id, options);
    require.main = process.mainModule;
    require.cache = Module._cache;
    require.extensions = Module._extensions;
    const { exports } = this;
    return script
      .runInThisContext()
      .call(exports, exports, require, this, filename, dirname(filename));
  };

  const keep = () => {
    if (isNew) writeKept(file, kept, scripts);
    isNew = false;
  };
  process.on("exit", keep);
  for (const signal of ["SIGINT", "SIGTERM"])
    process.prependListener(signal, () => {
      keep();
      if (process.listenerCount(signal) === 1) process.exit();
    });
}

/** Compiled code by the hash of its place and source. */
function readKept(file) {
  if (!fs.existsSync(file)) return new Map();
  const [index, code] = v8.deserialize(fs.readFileSync(file));
  return new Map(
    index.map(([key, start, end]) => [key, code.subarray(start, end)]),
  );
}

/**
 * Stores the compiled code of this process, and of earlier processes while the file is
 * small enough.
 */
function writeKept(file, kept, scripts) {
  const isSmall = !fs.existsSync(file) || fs.statSync(file).size < 2 ** 24;
  const all = new Map(isSmall ? kept : []);
  for (const [key, script] of scripts) all.set(key, script.createCachedData());
  let end = 0;
  const index = [...all].map(([key, code]) => [key, end, (end += code.length)]);
  writeWhole(file, v8.serialize([index, Buffer.concat([...all.values()])]));
}

/** Writes a file of the cache; another process never sees a part of it. */
function writeWhole(file, content) {
  const own = `${file}.${randomUUID()}`;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(own, content);
  fs.renameSync(own, file);
}
