import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;
let ours: string;
let others: string;
/** Both workspaces and the state, as they have to stay. */
let before: unknown;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us, eu } = workspace.service.workspaces;
  ours = us.environment;
  others = eu.environment;
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
  });
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

const everything = (description?: string): Declared[] => [
  {
    kind: "ApiKey",
    as: "server",
    args: { name: "Server", type: "secret", description },
  },
  {
    kind: "Webhook",
    as: "hook",
    args: { url: "https://hooks.example/a", description },
  },
  {
    kind: "Environment",
    as: "staging",
    args: { name: "Staging", description },
  },
  {
    kind: "EncryptionKey",
    as: "sealing",
    args: { status: "enabled", description },
  },
  {
    kind: "FilteringRuleSet",
    as: "rules",
    args: {
      rules: [
        {
          name: "block-ios",
          expression: "sdk.platform.is_ios",
          action: "deny",
          status: description === undefined ? "enabled" : "disabled",
        },
      ],
    },
  },
];
const ALL = everything().length + 1;

const contents = async () => ({
  us: await workspace.contents("us"),
  eu: await workspace.contents("eu"),
  // The engine notes times of its own beside these.
  state: (await stack.resources({ showSecrets: true }))
    .map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }))
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1)),
});

/** Calls that an operation makes, as "METHOD path". */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const mark = await workspace.mark();
  await work();
  const calls = await workspace.requestsSince(mark);
  return calls.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
}

/** Runs an operation that must fail and change nothing; answers its words and calls. */
async function refused(...operation: string[]) {
  let outcome = { code: 0, said: "" };
  const calls = await callsOf(async () => {
    outcome = await stack.operate(...operation);
  });
  expect.soft(outcome.code, operation.join(" ")).not.toBe(0);
  expect.soft(await contents(), operation.join(" ")).toEqual(before);
  return { calls, said: outcome.said };
}

const WRITES = [
  ["destroy", "--yes", "--skip-preview"],
  ["refresh", "--yes", "--skip-preview"],
  ["up", "--yes", "--skip-preview"],
  ["up", "--yes", "--skip-preview", "--refresh"],
];

it("keeps in state where each object lives, and asks nothing when nothing changed", async () => {
  stack.declare(everything());
  expect(await stack.up()).toEqual({ create: ALL });
  before = await contents();
  const made = (await stack.resources()).filter(({ type }) =>
    type.includes("devid:"),
  );
  for (const { type, outputs } of made)
    expect
      .soft(outputs, type)
      .toMatchObject({ owner: { region: "us", workspace: ours } });
  expect(await callsOf(() => stack.preview())).toEqual([]);
});

it("touches nothing with another workspace's key, and names both workspaces", async () => {
  const { us, eu } = workspace.service.workspaces;
  stack.set({ DEVID_MANAGEMENT_KEY_US: eu.managementKey });
  stack.declare(everything("Changed"));
  for (const operation of WRITES) {
    const { calls, said } = await refused(...operation);
    // One call a run finds it out; nothing else was sent.
    expect.soft(calls).toEqual(["GET /management/environments"]);
    expect.soft(said).toContain(ours);
    expect.soft(said).toContain(others);
  }
  stack.set({ DEVID_MANAGEMENT_KEY_US: us.managementKey });
  stack.declare(everything());
  expect((await stack.preview()).changes).toEqual({ same: ALL });
});

it("touches nothing with another region, says so in the preview, and makes no call", async () => {
  stack.set({ DEVID_REGION: "eu" });
  for (const operation of [["preview"], ...WRITES]) {
    const { calls, said } = await refused(...operation);
    expect.soft(calls).toEqual([]);
    expect.soft(said).toMatch(/\bus\b/);
    expect.soft(said).toMatch(/\beu\b/);
    expect.soft(said).toMatch(/devid:region|DEVID_REGION/);
  }
  stack.set({ DEVID_REGION: undefined });
  expect((await stack.preview()).changes).toEqual({ same: ALL });
});

it("touches nothing when a resource is given a provider of another region", async () => {
  const regions = { us: { region: "us" }, eu: { region: "eu" } };
  const program = (provider: string): Declared[] => [
    ...everything(),
    {
      kind: "ApiKey",
      as: "regional",
      args: { name: "Regional", type: "secret" },
      provider,
    },
  ];
  stack.declare(program("us"), regions);
  await stack.up();
  before = await contents();
  stack.declare(program("eu"), regions);
  const preview = await refused("preview");
  expect.soft(preview.calls).toEqual([]);
  expect.soft(preview.said).toMatch(/\bus\b/);
  expect.soft(preview.said).toMatch(/\beu\b/);
  await refused("up", "--yes", "--skip-preview");
  stack.declare(program("us"), regions);
  expect((await stack.preview()).changes).toEqual({ same: ALL + 3 });
});

it("takes an object that somebody deleted for gone, in its own workspace", async () => {
  const keys = await workspace.list("api-keys");
  const own = keys.filter(({ name }) => name === "Server");
  for (const { id } of own)
    await workspace.call("DELETE", `/api-keys/${String(id)}`);
  await stack.destroy();
  const left = await workspace.list("api-keys");
  expect(left.map(({ name }) => name)).not.toContain("Regional");
  expect(await workspace.list("webhooks")).toEqual([]);
  expect(await workspace.list("filtering-rules")).toEqual([]);
});
