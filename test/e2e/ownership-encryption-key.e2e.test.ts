import { afterEach, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared } from "../helpers/engine-stack";

/** Each place has an environment of its own, and so a key of its own. One engine run covers all places. */
const PLACES = ["renamed", "replaced", "cut", "kept"] as const;
type Place = (typeof PLACES)[number];

const local = openForTests(new WorkspaceStack(PLACES));
const { environments, workspace } = local;

afterEach(() => workspace.forgetFaults());

// Rotations are in test/provider/resources/encryption-key.test.ts. Each test continues from the state that
// the previous test left, because a stack has one history.

/** The present names of the resources in the program, by place. */
const names: Partial<Record<Place, string>> = {};
function declare(
  renamed: Partial<Record<Place, string>> = {},
  ...more: Declared[]
): void {
  Object.assign(names, renamed);
  const keys = PLACES.map((place): Declared => {
    const environment = environments[place];
    const args = { environment, status: "enabled", rotation: "1" };
    return { kind: "EncryptionKey", as: names[place] ?? place, args };
  });
  local.stack.declare([...keys, ...more]);
}

/** A key in the service's own form. */
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
it("leaves a key unchanged and warns when its resource is renamed or replaced", async () => {
  expect((await keyOf("renamed")).status).toBe("disabled");
  declare();
  expect(await local.stack.up()).toEqual({ create: PLACES.length + 1 });
  const before = await keysOf(...PLACES);
  expect(before.renamed).toMatchObject({ status: "enabled" });

  declare({ renamed: "renamed2" });
  const { code, said, changes } = await local.stack.operate(
    ...["up", "--yes", "--skip-preview"],
    ...["--replace", await local.stack.urn("replaced")],
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

it("leaves a key unchanged when another process deletes the old name", async () => {
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
  declare({ cut: "cut2" }, last);
  expect(await local.stack.failingUp()).toContain("not today");
  await workspace.forgetFaults();
  // The new owner exists, and the old owner is still to be deleted.
  await local.stack.urn("cut");

  declare();
  expect(await local.stack.up()).toMatchObject({ delete: 1 });
  expect(await keyOf("cut")).toEqual(before);
});

it("restores the status that the key had before, if the state has it", async () => {
  await local.stack.destroy();
  const left = await keysOf(...PLACES);
  const statuses = Object.entries(left).map(([place, key]) => [
    place,
    key.status,
  ]);
  expect(Object.fromEntries(statuses)).toEqual({
    renamed: "enabled",
    replaced: "enabled",
    cut: "enabled",
    kept: "disabled",
  });
});
