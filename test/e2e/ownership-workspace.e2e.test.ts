import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;
let ours: string;
/** The contents of both workspaces and the state, which must not change. */
let before: unknown;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us, eu } = workspace.service.workspaces;
  ours = us.environment;
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

// Each test continues from the state that the previous test left, because a stack has one history.

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
/** The resources of the program, the stack, one more key and the providers of two regions. */
const ALL = everything().length + 4;

const contents = async () => ({
  us: await workspace.contents("us"),
  eu: await workspace.contents("eu"),
  // The engine also records times of its own, which this leaves out.
  state: (await stack.resources({ showSecrets: true }))
    .map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }))
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1)),
});

/** The calls of an operation, as "METHOD path". */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const mark = await workspace.mark();
  await work();
  const calls = await workspace.requestsSince(mark);
  return calls.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
}

/** Runs an operation that must fail and change nothing. Returns its output and calls. */
async function refused(...operation: string[]) {
  let outcome = { code: 0, said: "" };
  const calls = await callsOf(async () => {
    outcome = await stack.operate(...operation);
  });
  expect.soft(outcome.code, operation.join(" ")).not.toBe(0);
  expect.soft(await contents(), operation.join(" ")).toEqual(before);
  return { calls, said: outcome.said };
}

/** A provider of each region. */
const REGIONS = { us: { region: "us" }, eu: { region: "eu" } };
/** All resources, and a key with the provider of one region. */
const withRegional = (provider: keyof typeof REGIONS): Declared[] => [
  ...everything(),
  {
    kind: "ApiKey",
    as: "regional",
    args: { name: "Regional", type: "secret" },
    provider,
  },
];

// test/provider/lifecycle/ownership.test.ts tests the refusal of reads, updates and deletes one by one.

it("records where each object is, and sends no request when nothing changed", async () => {
  stack.declare(withRegional("us"), REGIONS);
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

it("changes nothing with another region, says so in the preview, and sends no request", async () => {
  stack.set({ DEVID_REGION: "eu" });
  stack.declare(withRegional("us"), REGIONS);
  const { calls, said } = await refused("preview");
  expect.soft(calls).toEqual([]);
  expect.soft(said).toMatch(/\bus\b/);
  expect.soft(said).toMatch(/\beu\b/);
  expect.soft(said).toMatch(/devid:region|DEVID_REGION/);
  stack.set({ DEVID_REGION: undefined });
});
