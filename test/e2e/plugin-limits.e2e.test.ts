import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// Results that depend on how the engine treats a YAML program with the plugin.

let workspace: LocalWorkspace;
let stack: EngineStack;

const program = (resources: object, outputs: object = {}) =>
  stringify({
    name: "shop",
    runtime: "yaml",
    plugins: {
      providers: [{ name: "devid", path: join(TESTS, "../provider/bin") }],
    },
    resources,
    outputs,
  });

const write = (text: string) =>
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), text);

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const host = await findLanguageHost("yaml", await findEngine());
  const folder = mkdtempSync(join(tmpdir(), "devid-limits-"));
  writeFileSync(join(folder, "Pulumi.yaml"), program({}));
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
      PATH: [dirname(host), process.env.PATH].join(delimiter),
    },
    folder,
  );
  rmSync(folder, { recursive: true });
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

const STAGING = { type: "devid:Environment", properties: { name: "Staging" } };

it("the environment ID of a key for the whole workspace is empty, also in a preview", async () => {
  const key = {
    type: "devid:ApiKey",
    properties: { name: "Wide", type: "secret" },
  };
  write(program({ key }, { place: "in [${key.environmentId}]" }));
  expect((await stack.preview()).text).toContain('place: "in []"');
  await stack.up();
  expect(await stack.outputs()).toEqual({ place: "in []" });
});

it("the engine drops a key with deletedWith from the state, then the environment is not deleted and its error names the key", async () => {
  const key = {
    type: "devid:ApiKey",
    properties: { name: "Inner", type: "secret", environment: "${staging.id}" },
    options: { deletedWith: "${staging}" },
  };
  write(program({ staging: STAGING, key }));
  await stack.up();
  const { id } = (await stack.resources()).find(({ urn }) =>
    urn.endsWith("::key"),
  ) ?? { id: "" };
  const said = await stack.failing("destroy", "--yes", "--skip-preview");
  expect(said).toContain(`API key ${id}, name "Inner"`);
  const keys = await workspace.list("api-keys");
  expect(keys.map((one) => one.id)).toContain(id);
});
