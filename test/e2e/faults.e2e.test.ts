import { afterEach, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

const KEY: Declared = {
  kind: "ApiKey",
  as: "server",
  args: { name: "Server", type: "secret", status: "disabled" },
};
const serverKeys = async () =>
  (await workspace.list("api-keys")).filter((key) => key.name === "Server");

afterEach(() => workspace.forgetFaults());

// Each fault is tested in test/provider/resources with the same provider host. This file tests how the engine
// treats an unfinished object.

it("keeps a key whose second call failed, and finishes it in the next update", async () => {
  await workspace.fault({
    match: { method: "PATCH", path: "/management/api-keys/*" },
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  local.stack.declare([KEY]);
  expect(await local.stack.failingUp()).toContain("not today");
  expect(await serverKeys()).toMatchObject([{ status: "enabled" }]);

  await workspace.forgetFaults();
  expect(await local.stack.up()).toMatchObject({ update: 1 });
  expect(await serverKeys()).toMatchObject([{ status: "disabled" }]);
});

it("shows every mistake of a resource in the preview, without a request to the service", async () => {
  const mark = await workspace.mark();
  local.stack.declare([
    {
      kind: "ApiKey",
      as: "short",
      args: { name: "ab", type: "secret", rateLimit: 0 },
    },
  ]);
  const said = await local.stack.failing("preview");
  for (const text of [
    "problem: name: ",
    "must have at least 3 characters",
    "problem: rateLimit: ",
    "must be at least 0.1",
  ])
    expect(said).toContain(text);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});
