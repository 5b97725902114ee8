import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { EngineStack, PLUGINS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { pythonRuntime } from "../helpers/python-runtime";
import { ROOT } from "../helpers/repository";
import { openForTests } from "../helpers/open-for-tests";

// The plugin as an executable on a machine without Node.js. It is installed from its archive, then used by a
// YAML program and by a Python program of the same stack. Each test continues from the state that the
// previous test left.

const run = promisify(execFile);

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;
let archive: string;
let version: string;
/** The folder for the archive. */
let release: string;
/** A folder for PATH that has shells but no Node.js. */
let tools: string;

const project = (runtime: unknown, others: object = {}) =>
  stringify({ name: "shop", runtime, ...others });
const declare = (...program: Parameters<typeof project>) =>
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), project(...program));

const key = (name: string) => ({
  resources: {
    key: { type: "devid:ApiKey", properties: { name, type: "public" } },
  },
});

/** The ID of an environment's encryption key. */
async function sealingKeyOf(environment: unknown): Promise<string> {
  const keys = await workspace.list("encryption-keys");
  return String(keys.find((one) => one.environment === environment)?.id);
}

beforeAll(async () => {
  release = mkdtempSync(join(tmpdir(), "devid-executable-"));
  const script = join(ROOT, "tools/release/release-plugin.mjs");
  await run(process.execPath, [script, release]);
  const [file = ""] = readdirSync(release);
  archive = join(release, file);
  version = /-v(.*)-linux/.exec(file)?.[1] ?? "";
  tools = join(release, "tools");
  mkdirSync(tools);
  for (const shell of ["sh", "bash"])
    symlinkSync(`/bin/${shell}`, join(tools, shell));
  const { managementKey } = workspace.service.workspaces.us;
  stack = await EngineStack.open(
    { DEVID_ENDPOINT: workspace.url, DEVID_MANAGEMENT_KEY: managementKey },
    { "Pulumi.yaml": project("yaml") },
  );
});

afterAll(() => {
  stack?.close();
  if (release) rmSync(release, { recursive: true });
});

/** Sets a PATH with the engine and the language hosts, but without Node.js. */
async function hideNode(...languages: ("yaml" | "python")[]): Promise<void> {
  const engine = await findEngine();
  const hosts = await Promise.all(
    languages.map((name) => findLanguageHost(name, engine)),
  );
  const PATH = [tools, ...hosts.map(dirname)].join(delimiter);
  stack.set({ PATH });
}

it("the archive has its checksum beside it", () => {
  const [name, checksum] = readdirSync(release).filter((file) =>
    file.startsWith("pulumi-resource-devid-"),
  );
  const digest = createHash("sha256").update(readFileSync(archive));
  expect(readFileSync(join(release, checksum ?? ""), "utf8")).toBe(
    `${digest.digest("hex")}  ${name}\n`,
  );
});

it("the plugin of the npm package reports that Node.js is missing", async () => {
  await hideNode("yaml");
  declare("yaml", { ...key("Shop"), plugins: PLUGINS });
  expect(await stack.failing("preview")).toContain(
    "devid needs Node.js 20.19 or later in PATH",
  );
});

it("the executable is installed and works without Node.js", async () => {
  const install = `pulumi plugin install resource devid ${version} --file "${archive}"`;
  const { code, output } = await stack.shell(install);
  expect(output).not.toMatch(/error/i);
  expect(code).toBe(0);
  declare("yaml", key("Shop"));
  expect(await stack.up()).toEqual({ create: 2 });
  declare("yaml", key("Shop pages"));
  expect(await stack.up()).toEqual({ update: 1, same: 1 });
  expect(await stack.refresh()).toEqual({ same: 2 });
});

it(
  "a Python program finds the plugin and keeps the resources unchanged",
  { tags: ["python"] },
  async () => {
    const python = await pythonRuntime(stack);
    await hideNode("python");
    declare(python);
    writeFileSync(
      join(stack.workFolder, "__main__.py"),
      `import pulumi_devid as devid
devid.ApiKey("key", name="Shop pages", type=devid.ApiKeyType.PUBLIC)
`,
    );
    expect(await stack.up()).toEqual({ same: 2 });
    const [found] = await workspace.list("environments");
    const imported = await stack.operate(
      ...["import", "--yes", "--protect=false", "--out", "imported.py"],
      ...[
        "devid:index:EncryptionKey",
        "sealing",
        await sealingKeyOf(found?.id),
      ],
    );
    expect(imported.changes).toMatchObject({ import: 1 });
  },
);
