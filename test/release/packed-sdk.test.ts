import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify, stripVTControlCharacters } from "node:util";
import { startService, type Service } from "@devid/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PackedPackages } from "../helpers/packed-packages";
import { folderForTests } from "../helpers/test-folder";
import { ROOT } from "../helpers/repository";

// The package as the registry would hold it, in the tools that programs are made with.

const run = promisify(execFile);
const folder = folderForTests();
const tool = (path: string) => join(folder, "node_modules", path);

let service: Service;
beforeAll(async () => {
  // 250 MB that no other test needs: the tools, of their lock file.
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(ROOT, "tools/bundlers", file), join(folder, file));
  await run("npm", ["ci", "--ignore-scripts"], { cwd: folder });
  const sdk = tool("@devid/sdk");
  mkdirSync(sdk, { recursive: true });
  const file = (await PackedPackages.ofThisRun()).tarball("sdk");
  await run("tar", ["-xzf", file, "-C", sdk, "--strip-components=1"]);
  for (const name of ["zod", "vitest", "esbuild"])
    symlinkSync(join(ROOT, "node_modules", name), tool(name));
  service = await startService({ port: 0, logLevel: "silent" });
}, 600_000);
afterAll(() => service.close());

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** Runs Node in the folder, with the variables of the service. */
async function node(...args: readonly string[]) {
  const { secretKey, managementKey } = service.workspaces.us;
  return run(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DEVID_ENDPOINT: service.url,
      DEVID_SECRET_KEY: secretKey,
      DEVID_MANAGEMENT_KEY: managementKey,
    },
  });
}

/**
 * Answers with what a call of each API finds, the code of a service that cannot be reached,
 * the name of a mistake in the caller's own fetch, a webhook and a sealed result.
 */
const BODY = `
const found = async () => {
  const options = { ...optionsFromEnvironment(), retry: { maxAttempts: 1 } };
  const client = createClient(options);
  const nobody = createClient({ ...options, endpoint: "http://127.0.0.1:9" });
  const broken = createClient({ ...options, fetch: () => { throw new TypeError("x is not a function"); } });
  const event = '{"event_id":"1.a","timestamp":1}';
  const token = Buffer.alloc(32, 7).toString("base64");
  return [
    (await client.environments.list()).data[0].name,
    (await client.events.search()).events.length,
    await nobody.webhooks.list().catch((error) => error.code),
    await broken.webhooks.list().catch((error) => error.name),
    (await parseWebhook(event, await signWebhook(event, "key"), "key")).event_id,
    unseal(seal(event, token), token).event_id,
    await createClient(options).webhooks.get("none").catch((error) => isDevidError(error, "NotFoundError")),
  ];
};
`;
const FOUND = ["Default", 0, "ECONNREFUSED", "TypeError", "1.a", "1.a", true];

const NAMES = {
  "@devid/sdk": "createClient, isDevidError, optionsFromEnvironment",
  "@devid/sdk/webhooks": "parseWebhook, signWebhook",
  "@devid/sdk/sealed-results": "seal, unseal",
};
const IMPORTS = Object.entries(NAMES)
  .map(([from, names]) => `import { ${names} } from "${from}";`)
  .join("\n");
const REQUIRES = Object.entries(NAMES)
  .map(([from, names]) => `const { ${names} } = require("${from}");`)
  .join("\n");
/** The same in an edge runtime, whose network only its own fetch knows. */
const WORKER = `
const token = btoa("7".repeat(32));
export default {
  async fetch(request, env) {
    const event = '{"event_id":"1.a","timestamp":1}';
    const client = createClient({ ...env, fetch: (...given) => fetch(...given), retry: { maxAttempts: 1 } });
    return Response.json([
      (await client.environments.list()).data[0].name,
      (await client.events.search()).events.length,
      (await parseWebhook(event, await signWebhook(event, "key"), "key")).event_id,
      unseal(seal(event, token), token).event_id,
      await client.webhooks.get("none").catch((error) => isDevidError(error, "NotFoundError")),
    ]);
  },
};
`;

const PRINT = `found().then((all) => console.log(JSON.stringify(all)));`;

const MODULE = IMPORTS + BODY + PRINT;
const SCRIPT = REQUIRES + BODY + PRINT;

/** Bundles a program in a file to one file or folder of a format, and returns what to run. */
type Bundler = (entry: string, format: "esm" | "cjs") => Promise<string>;

const extension = (format: string) => (format === "esm" ? "mjs" : "cjs");

const BUNDLERS: Record<string, Bundler> = {
  async esbuild(entry, format) {
    const out = join(folder, `esbuild-${format}/out.${extension(format)}`);
    await node(
      tool("esbuild/bin/esbuild"),
      ...[entry, "--bundle", "--platform=node", "--target=node20"],
      ...[`--format=${format}`, `--outfile=${out}`],
    );
    return out;
  },
  async rollup(entry, format) {
    const out = join(folder, `rollup-${format}`);
    const name = `[name].${extension(format)}`;
    const config = write(
      `rollup-${format}.mjs`,
      `import commonjs from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
export default {
  input: { out: ${JSON.stringify(entry)} },
  plugins: [nodeResolve({ preferBuiltins: true, exportConditions: ["node"] }), commonjs()],
  output: { dir: ${JSON.stringify(out)}, format: "${format}", entryFileNames: "${name}", chunkFileNames: "${name}" },
};`,
    );
    await node(tool("rollup/dist/bin/rollup"), "-c", config, "--silent");
    return join(out, `out.${extension(format)}`);
  },
  async webpack(entry, format) {
    const out = join(folder, `webpack-${format}`);
    const name = `[name].${extension(format)}`;
    const config = {
      ...{ mode: "production", target: "node20", context: folder },
      entry: { out: entry },
      output: {
        ...{ path: out, filename: name, chunkFilename: name },
        ...(format === "esm" && { module: true, chunkFormat: "module" }),
      },
      ...(format === "esm" && { experiments: { outputModule: true } }),
    };
    await node(
      write(
        `webpack-${format}.cjs`,
        `require("webpack")(${JSON.stringify(config)}, (error, stats) => {
  if (!error && !stats.hasErrors()) return;
  console.error(error ?? stats.toString());
  process.exit(1);
});`,
      ),
    );
    return join(out, `out.${extension(format)}`);
  },
};

describe("the packed SDK works", () => {
  it.each([
    ["an ES module", "program.mjs", MODULE],
    ["CommonJS", "program.cjs", SCRIPT],
  ])("in Node itself, from %s", async (_, name, text) => {
    const { stdout } = await node(write(name, text));
    expect(JSON.parse(stdout)).toEqual(FOUND);
  });

  it.each(
    Object.keys(BUNDLERS).flatMap((name) =>
      (["esm", "cjs"] as const).flatMap((format) =>
        (["import", "require"] as const)
          // esbuild leaves `require` of Node's modules as it is, which ES modules lack.
          .filter(
            (loaded) => `${name} ${format} ${loaded}` !== "esbuild esm require",
          )
          .map((loaded) => [name, format, loaded] as const),
      ),
    ),
  )("bundled by %s to %s, loaded by %s", async (name, format, loaded) => {
    const entry =
      loaded === "import"
        ? write("entry.mjs", MODULE)
        : write("entry.cjs", SCRIPT);
    const out = await BUNDLERS[name]?.(entry, format);
    const { stdout } = await node(out ?? "");
    expect(JSON.parse(stdout)).toEqual(FOUND);
  });

  it.each([
    ["Jest", "jest/bin/jest.js", "in-jest.test.cjs", REQUIRES],
    ["Vitest", "vitest/vitest.mjs", "in-vitest.test.mjs", IMPORTS],
  ])("in a test of %s", async (name, command, file, head) => {
    const own = name === "Jest" ? "" : 'import { expect, it } from "vitest";\n';
    write(
      file,
      `${own}${head}${BODY}it("works", async () => expect(await found()).toEqual(${JSON.stringify(FOUND)}));`,
    );
    write(
      "jest.config.cjs",
      'module.exports = { testMatch: ["**/in-jest.test.cjs"] };',
    );
    const { stdout, stderr } =
      name === "Jest"
        ? await node(tool(command), "--ci")
        : await node(tool(command), "run", file, "--root", folder);
    expect(stripVTControlCharacters(stdout + stderr)).toMatch(
      /Tests:? +(\S+ +)?1 passed/,
    );
  });

  it("in a worker of an edge runtime: webhooks, sealed results, and calls by its own fetch", async () => {
    const entry = write("worker-entry.mjs", IMPORTS + WORKER);
    const out = (await BUNDLERS.esbuild?.(entry, "esm")) ?? "";
    cpSync(out, join(folder, "worker.mjs"));
    const { secretKey, managementKey } = service.workspaces.us;
    const bindings = { endpoint: service.url, secretKey, managementKey };
    const config = write(
      "worker.capnp",
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2025-09-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [${Object.entries(bindings)
    .map(([name, text]) => `(name = "${name}", text = "${text}")`)
    .join(", ")}],
);`,
    );
    const [own = ""] = readdirSync(tool("@cloudflare"));
    const workerd = tool(join("@cloudflare", own, "bin/workerd"));
    chmodSync(workerd, 0o755);
    const server = spawn(workerd, ["serve", config, "--control-fd=3"], {
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    try {
      const [said] = (await once(server.stdio[3] as Readable, "data")) as [
        Buffer,
      ];
      const { port } = JSON.parse(String(said)) as { port: number };
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      expect(await answer.json()).toEqual(["Default", 0, "1.a", "1.a", true]);
    } finally {
      server.kill();
    }
  });
});
