import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;

const KEY: Declared = {
  kind: "ApiKey",
  as: "server",
  args: { name: "Server", type: "secret", status: "disabled" },
};
const serverKeys = async () =>
  (await workspace.list("api-keys")).filter((key) => key.name === "Server");
beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});

afterEach(() => workspace.forgetFaults());

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

// What is done about each fault is in test/provider/resources, against the same
// provider host; here is what the engine does with an object that is not finished.

it("keeps a key whose second step failed, and finishes it in the next update", async () => {
  await workspace.fault({
    match: { method: "PATCH", path: "/management/api-keys/*" },
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  stack.declare([KEY]);
  expect(await stack.failingUp()).toContain("not today");
  expect(await serverKeys()).toMatchObject([{ status: "enabled" }]);

  await workspace.forgetFaults();
  expect(await stack.up()).toMatchObject({ update: 1 });
  expect(await serverKeys()).toMatchObject([{ status: "disabled" }]);
});

it("shows everything that is wrong with a resource in the preview, without the service", async () => {
  const mark = await workspace.mark();
  stack.declare([
    {
      kind: "ApiKey",
      as: "short",
      args: { name: "ab", type: "secret", rateLimit: 0 },
    },
  ]);
  const said = await stack.failing("preview");
  for (const text of [
    "problem: name: ",
    "must have at least 3 characters",
    "problem: rateLimit: ",
    "must be at least 0.1",
  ])
    expect(said).toContain(text);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});
