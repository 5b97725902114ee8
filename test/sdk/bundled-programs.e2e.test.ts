import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createContext, Script } from "node:vm";
import type * as Sdk from "@devid/sdk";
import { build, type Format } from "esbuild";
import { describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { folderForTests } from "../helpers/test-folder";
import { ROOT } from "../helpers/repository";

const run = promisify(execFile);
const folder = folderForTests();

const local = openForTests(new LocalWorkspace());

/** Makes a call of each API, and one that cannot reach anything. */
const PROGRAM = `
import { createClient, optionsFromEnvironment } from "@devid/sdk";
const options = { ...optionsFromEnvironment(), retry: { maxAttempts: 1 } };
const client = createClient(options);
const nobody = createClient({ ...options, endpoint: "http://127.0.0.1:9" });
const main = async () => {
  const { data } = await client.environments.list();
  const { events } = await client.events.search();
  const { code } = await nobody.webhooks.list().catch((error) => error);
  console.log(JSON.stringify([data[0].name, events.length, code]));
};
main();
`;

describe.each<[Format, string]>([
  ["esm", "mjs"],
  ["cjs", "cjs"],
])("a program that is bundled whole as %s", (format, extension) => {
  it.each([true, false])(
    "calls the service, minified: %s",
    async (minify) => {
      const outfile = join(folder, `program-${minify}.${extension}`);
      await build({
        stdin: { contents: PROGRAM, resolveDir: ROOT },
        bundle: true,
        platform: "node",
        target: "node20",
        ...{ format, minify, outfile },
        logLevel: "silent",
      });
      const { env } = local;
      const { stdout } = await run(process.execPath, [outfile], { env });
      expect(JSON.parse(stdout)).toEqual(["Default", 0, "ECONNREFUSED"]);
    },
    60_000,
  );
});

/**
 * Loads a CommonJS package as Jest does: in a context of its own, whose errors are not
 * those of Node's modules, and which has no `import()`.
 */
function loadedInContext(entry: string): unknown {
  const context = createContext({});
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!new Script(`"${name}" in globalThis`).runInContext(context))
      Object.defineProperty(context, name, {
        value: (globalThis as Record<string, unknown>)[name],
      });
  const loaded = new Map<string, { exports: unknown }>();
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    loaded.set(file, module);
    const own = createRequire(file);
    const code = `(function (exports, require, module) {${readFileSync(file, "utf8")}\n})`;
    const start = new Script(code, { filename: file }).runInContext(
      context,
    ) as (...given: unknown[]) => void;
    const require = (name: string): unknown =>
      isBuiltin(name) ? own(name) : load(own.resolve(name));
    start(module.exports, require, module);
    return module.exports;
  };
  return load(entry);
}

it("a program in Jest calls the service, and is told the reason of a failure", async () => {
  const entry = createRequire(join(dirname(__dirname), "x.js")).resolve(
    "@devid/sdk",
  );
  const { createClient } = loadedInContext(entry) as typeof Sdk;
  const { managementKey, secretKey } = local.service.workspaces.us;
  const keys = { managementKey, secretKey };
  const client = createClient({ endpoint: local.url, ...keys });
  expect((await client.environments.list()).data).toHaveLength(1);
  expect((await client.events.search()).events).toEqual([]);
  const nobody = createClient({
    ...{ endpoint: "http://127.0.0.1:9", ...keys },
    retry: { maxAttempts: 1 },
  });
  await expect(nobody.webhooks.list()).rejects.toMatchObject({
    name: "UnreachableError",
    code: "ECONNREFUSED",
  });
});
