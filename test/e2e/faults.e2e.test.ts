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
const rules = (...names: string[]): Declared => ({
  kind: "FilteringRuleSet",
  as: "rules",
  args: {
    rules: names.map((name) => ({
      name,
      expression: "sdk.platform.is_ios",
      action: "deny",
    })),
  },
});

const serverKeys = async () =>
  (await workspace.list("api-keys")).filter((key) => key.name === "Server");
const ruleNames = async () =>
  (await workspace.list("filtering-rules")).map((rule) => rule.name);

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

it("does not repeat a creation that was cut off after it was sent", async () => {
  const other: Declared = {
    kind: "ApiKey",
    as: "other",
    args: { name: "Other", type: "secret" },
  };
  await workspace.fault({
    match: { method: "POST", path: "/management/api-keys" },
    times: 1,
    then: "reset",
    after: true,
  });
  stack.declare([KEY, other]);
  const mark = await workspace.mark();
  const said = await stack.failingUp();
  expect(said).toContain('Creating API key "Other" got no clear answer');
  expect(said).toContain("look in the workspace before you run it again");
  const posts = (await workspace.requestsSince(mark)).filter(
    ({ method }) => method === "POST",
  );
  expect(posts).toHaveLength(1);

  // What the message asks for: look, take the lost one away, run again.
  const lost = (await workspace.list("api-keys")).find(
    (key) => key.name === "Other",
  );
  await workspace.call("DELETE", `/api-keys/${String(lost?.id)}`);
  expect(await stack.up()).toMatchObject({ create: 1 });
});

it("settles a cut-off overwrite of rules by looking", async () => {
  await workspace.fault({
    match: { path: "/management/filtering-rules/bulk" },
    times: 1,
    then: "reset",
    after: true,
  });
  stack.declare([KEY, rules("a", "b")]);
  expect(await stack.up()).toMatchObject({ create: 1 });
  expect(await ruleNames()).toEqual(["a", "b"]);
});

it("leaves the old rules in force when an overwrite never arrived, and says so", async () => {
  await workspace.fault({
    match: { path: "/management/filtering-rules/bulk" },
    times: 1,
    then: "reset",
  });
  stack.declare([KEY, rules("a", "b", "c")]);
  expect(await stack.failingUp()).toContain("Writing 3 filtering rules");
  expect(await ruleNames()).toEqual(["a", "b"]);
  expect(await stack.up()).toMatchObject({ update: 1 });
  expect(await ruleNames()).toEqual(["a", "b", "c"]);
});

it("waits out a burst of 429 and a failing service", async () => {
  const error = { code: "too_many_requests", message: "too many requests" };
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    times: 2,
    then: { status: 429, body: { error } },
  });
  await workspace.fault({
    match: { method: "GET", path: "/management/filtering-rules" },
    times: 1,
    then: { status: 500 },
  });
  const hook: Declared = {
    kind: "Webhook",
    as: "hook",
    args: { url: "https://hooks.example/a" },
  };
  stack.declare([KEY, rules("a"), hook]);
  expect(await stack.up()).toMatchObject({ create: 1, update: 1 });
  expect(await workspace.list("webhooks")).toHaveLength(1);
});

it.each<[string, Declared, string[]]>([
  [
    "a key's bounds",
    {
      kind: "ApiKey",
      as: "short",
      args: { name: "ab", type: "secret", rateLimit: 0 },
    },
    ["problem: name: ", ">=3 characters", "problem: rateLimit: ", ">=0.1"],
  ],
  [
    "names that come twice",
    rules("a", "a"),
    ["problem: rules[1].name: ", "names are unique"],
  ],
  [
    "a mistake in a rule's expression",
    {
      kind: "FilteringRuleSet",
      as: "typo",
      args: {
        rules: [
          { name: "a", expression: "sdk.platform.is_ios", action: "deny" },
          { name: "b", expression: "sdk.platfrm.is_ios", action: "deny" },
        ],
      },
    },
    ["problem: rules[1].expression: ", "sdk.platfrm is not known", "^^^^^^^"],
  ],
])("refuses %s in the preview, without the service", async (_, one, texts) => {
  const mark = await workspace.mark();
  stack.declare([one]);
  const failure = await stack.preview().then(
    () => expect.fail("the preview passed"),
    (error: unknown) => String(error),
  );
  for (const text of texts) expect(failure).toContain(text);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});

it("says which key is missing and where it was looked for", async () => {
  const keyless = await EngineStack.open({ DEVID_ENDPOINT: workspace.url });
  try {
    keyless.declare([KEY]);
    const said = await keyless.failingUp();
    expect(said).toContain("The management API key of region us is missing.");
    const places = [
      "1. devid.Provider argument managementKey",
      "2. stack config devid:managementKey",
      "3. environment DEVID_MANAGEMENT_KEY_US, then DEVID_MANAGEMENT_KEY",
    ];
    for (const place of places) expect(said).toContain(place);
  } finally {
    keyless.close();
  }
});

it("says that a key is wrong, and whose it is, without showing it", async () => {
  const wrong = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: "not-a-key-of-this-service",
  });
  try {
    wrong.declare([
      { kind: "ApiKey", as: "k", args: { name: "Key", type: "public" } },
    ]);
    const said = await wrong.failingUp();
    expect(said).toContain("401");
    expect(said).toContain("environment DEVID_MANAGEMENT_KEY_US");
    expect(said).not.toContain("not-a-key-of-this-service");
  } finally {
    wrong.close();
  }
});
