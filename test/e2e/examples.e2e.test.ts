import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const ROOT = resolve(__dirname, "../..");

let workspace: LocalWorkspace;
let stack: EngineStack | undefined;

beforeEach(async () => {
  workspace = await LocalWorkspace.start();
});

afterEach(async () => {
  stack?.close();
  stack = undefined;
  await workspace.close();
});

const settings = () => ({
  DEVID_ENDPOINT: workspace.url,
  DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
});

it("regions: one program, two workspaces", async () => {
  const found = [
    await workspace.contents("us"),
    await workspace.contents("eu"),
  ];
  stack = await EngineStack.open(settings(), join(ROOT, "examples/regions"));
  await stack.stack.setConfig("managementKeyEu", {
    value: workspace.service.workspaces.eu.managementKey,
    secret: true,
  });
  // Two keys, two rule sets, the stack and the explicit provider.
  expect(await stack.up()).toEqual({ create: 6 });
  for (const region of ["us", "eu"] as const) {
    const keys = await workspace.list("api-keys", region);
    expect(keys.map((key) => key.name)).toContain(`Shop (${region})`);
    const rules = await workspace.list("filtering-rules", region);
    expect(rules).toMatchObject([
      {
        name: "block-crawlers",
        environment: workspace.service.workspaces[region].environment,
      },
    ]);
  }
  expect(await stack.up()).toEqual({ same: 6 });
  await stack.destroy();
  const left = [await workspace.contents("us"), await workspace.contents("eu")];
  expect(left).toEqual(found);
});
