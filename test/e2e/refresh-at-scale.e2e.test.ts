import { afterEach, beforeEach, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const WEBHOOKS = 200;
const KEYS = 100;

let workspace: LocalWorkspace;
let stack: EngineStack;
beforeEach(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});
afterEach(async () => {
  stack.close();
  await workspace.close();
});

const webhook = (i: number): Declared => ({
  kind: "Webhook",
  as: `hook${i}`,
  args: { url: `https://hooks.example/${i}` },
});
const key = (i: number): Declared => ({
  kind: "ApiKey",
  as: `key${i}`,
  args: { name: `Key ${i}`, type: i % 2 ? "secret" : "public" },
});
const times = (n: number, make: (i: number) => Declared) =>
  Array.from({ length: n }, (_, i) => make(i));

it("a refresh of 200 webhooks and 100 API keys makes at most 5 management calls", async () => {
  stack.declare([...times(WEBHOOKS, webhook), ...times(KEYS, key)]);
  const all = WEBHOOKS + KEYS + 1;
  expect(await stack.up()).toEqual({ create: all });

  const mark = await workspace.mark();
  expect(await stack.refresh()).toEqual({ same: all });
  const calls = await workspace.requestsSince(mark);
  expect(calls.length).toBeLessThanOrEqual(5);
  expect(calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "GET /management/api-keys",
    "GET /management/api-keys",
    // Which workspace it is, once a run.
    "GET /management/environments",
    "GET /management/webhooks",
    "GET /management/webhooks",
  ]);

  // What changed meanwhile is seen all the same, and no token is lost.
  const [hook] = await workspace.list("webhooks");
  await workspace.call("PATCH", `/webhooks/${String(hook?.id)}`, {
    description: "by hand",
  });
  expect(await stack.refresh()).toEqual({ same: all - 1, update: 1 });
  expect((await stack.preview()).changes).toEqual({ same: all - 1, update: 1 });
  const { deployment } = JSON.parse(await stack.exported()) as {
    deployment: { resources: { type: string; outputs?: object }[] };
  };
  const tokens = deployment.resources.filter(
    ({ type, outputs }) =>
      type.endsWith(":ApiKey") && outputs && "token" in outputs,
  );
  expect(tokens).toHaveLength(KEYS);
}, 480_000);

it("a refresh of three reads each by its ID", async () => {
  stack.declare([webhook(0), webhook(1), key(1)]);
  await stack.up();
  const mark = await workspace.mark();
  await stack.refresh();
  const calls = await workspace.requestsSince(mark);
  expect(calls.map(({ path }) => path).sort()).toEqual([
    expect.stringMatching(/^\/management\/api-keys\/tok_/) as string,
    "/management/environments",
    expect.stringMatching(/^\/management\/webhooks\/wh_/) as string,
    expect.stringMatching(/^\/management\/webhooks\/wh_/) as string,
  ]);
});
