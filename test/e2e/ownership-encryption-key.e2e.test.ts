import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

/** Each has an environment, and so a key, of its own: one engine run tells of many. */
const PLACES = [
  "renamed",
  "replaced",
  "cut",
  "leftOut",
  "reverted",
  "stolen",
] as const;
type Place = (typeof PLACES)[number];

let workspace: LocalWorkspace;
let stack: EngineStack;
const environments = {} as Record<Place, string>;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  for (const place of PLACES) {
    const body = { name: `Shop ${place}` };
    const made = await workspace.call("POST", "/environments", body);
    environments[place] = (made as { id: string }).id;
  }
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

// Each test goes on where the one before it stopped: a stack has one history.

/** What the program declares now, by place. */
const declared: Record<string, { as: string; rotation?: string }> =
  Object.fromEntries(
    PLACES.map((place) => [place, { as: place, rotation: "1" }]),
  );
function declare(
  changes: Partial<Record<Place, { as?: string; rotation?: string }>> = {},
  ...more: Declared[]
): void {
  for (const [place, change] of Object.entries(changes))
    declared[place] = { as: place, ...declared[place], ...change };
  const keys = PLACES.map((place): Declared => {
    const { as = place, rotation } = declared[place] ?? {};
    const environment = environments[place];
    const args = { environment, status: "enabled", rotation };
    return { kind: "EncryptionKey", as, args };
  });
  stack.declare([...keys, ...more]);
}

/** A key as the service has it. */
async function keyOf(place: Place): Promise<Record<string, unknown>> {
  const keys = await workspace.list("encryption-keys");
  const key = keys.find((one) => one.environment === environments[place]);
  const got = await workspace.call(
    "GET",
    `/encryption-keys/${String(key?.id)}`,
  );
  return got as Record<string, unknown>;
}
const keysOf = async (...places: readonly Place[]) =>
  Object.fromEntries(
    await Promise.all(
      places.map(async (place) => [place, await keyOf(place)] as const),
    ),
  );
const rotationInState = async (name: string) =>
  (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))
    ?.outputs?.rotation;

it("leaves a key as it is when its resource is renamed or replaced, and warns", async () => {
  expect((await keyOf("renamed")).status).toBe("disabled");
  declare();
  expect(await stack.up()).toEqual({ create: PLACES.length + 1 });
  const before = await keysOf(...PLACES);
  expect(before.renamed).toMatchObject({ status: "enabled" });

  declare({ renamed: { as: "renamed2" } });
  const { code, said, changes } = await stack.operate(
    ...["up", "--yes", "--skip-preview"],
    ...["--replace", await stack.urn("replaced")],
  );
  expect(code).toBe(0);
  expect(changes).toMatchObject({ create: 1, delete: 1, replace: 1 });
  expect.soft(await keysOf(...PLACES)).toEqual(before);
  for (const place of ["renamed", "replaced"] as const)
    expect
      .soft(said)
      .toMatch(
        new RegExp(
          `warning: [^]*${String(before[place]?.id)}[^]*\\bdisabled\\b`,
        ),
      );
});

it("leaves a key as it is when the delete of the old name comes in another process", async () => {
  const last: Declared = {
    kind: "Webhook",
    as: "last",
    args: { url: "https://hooks.example/a", description: "$cut2.id" },
  };
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  const before = await keyOf("cut");
  declare({ cut: { as: "cut2" } }, last);
  expect(await stack.failingUp()).toContain("not today");
  await workspace.forgetFaults();
  // The new owner is made; the old one is still to be deleted.
  await stack.urn("cut");

  declare();
  expect(await stack.up()).toMatchObject({ delete: 1 });
  expect(await keyOf("cut")).toEqual(before);
});

it("rotates by a new text, reverts by the text before, and does nothing when the text is left out or put back", async () => {
  const first = await keysOf("leftOut", "reverted", "stolen");
  declare({
    leftOut: { rotation: "2" },
    reverted: { rotation: "2" },
    stolen: { rotation: "2" },
  });
  expect(await stack.up()).toMatchObject({ update: 3 });
  const second = await keysOf("leftOut", "reverted", "stolen");
  for (const place of ["leftOut", "reverted", "stolen"] as const)
    expect(second[place]).toMatchObject({
      previous_token: first[place]?.token,
      token: first[place]?.next_token,
    });

  declare({ leftOut: { rotation: undefined }, reverted: { rotation: "1" } });
  await stack.up();
  expect.soft(await keyOf("leftOut")).toEqual(second.leftOut);
  expect((await keyOf("reverted")).token).toBe(first.reverted?.token);
});

it("does not revert what somebody else rotated, says so, and records nothing", async () => {
  const { leftOut } = await keysOf("leftOut");
  const { id } = await keyOf("stolen");
  await workspace.call("POST", `/encryption-keys/${String(id)}/rotate`);
  const byHand = await keyOf("stolen");
  declare({ leftOut: { rotation: "2" }, stolen: { rotation: "1" } });
  const said = await stack.failingUp("--continue-on-error");
  expect.soft(said).toContain(String(id));
  expect.soft(said).toMatch(/rotated/i);
  expect.soft(said).toMatch(/pulumi refresh/);
  expect.soft(await keyOf("leftOut")).toEqual(leftOut);
  expect.soft(await keyOf("stolen")).toEqual(byHand);
  expect.soft(await rotationInState("stolen")).toBe("2");
  expect.soft((await stack.preview()).changes).toMatchObject({ update: 1 });

  // A text that was never there rotates, whoever did it last.
  declare({ stolen: { rotation: "3" } });
  await stack.up();
  expect((await keyOf("stolen")).previous_token).toBe(byHand.token);
});

it("refuses a second resource for a key that the program has", async () => {
  const before = await keyOf("stolen");
  const environment = environments.stolen;
  declare(
    {},
    {
      kind: "EncryptionKey",
      as: "twice",
      args: { environment, status: "disabled" },
    },
  );
  expect.soft(await stack.failingUp()).toContain(String(before.id));
  expect(await keyOf("stolen")).toEqual(before);
});

it("gives back the status that it found, where the state knows it", async () => {
  await stack.destroy();
  const left = await keysOf(...PLACES);
  const statuses = Object.entries(left).map(([place, key]) => [
    place,
    key.status,
  ]);
  expect(Object.fromEntries(statuses)).toEqual({
    renamed: "enabled",
    replaced: "enabled",
    cut: "enabled",
    leftOut: "disabled",
    reverted: "disabled",
    stolen: "disabled",
  });
});
