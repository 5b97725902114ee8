import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});
afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

const make = async (collection: string, body: object) =>
  (await workspace.call("POST", `/${collection}`, body)) as { id: string };
const ids = async (collection: string) =>
  (await workspace.list(collection)).map(({ id }) => id);

/** Runs an update; answers the counts and what the engine showed meanwhile. */
const up = async () => {
  const before = stack.output.length;
  const changes = await stack.up();
  return { changes, shown: stack.output.slice(before) };
};

// Each test goes on where the one before it stopped: a stack has one history.

it("takes over what was made by hand, and says so where the person sees it", async () => {
  const key = await make("api-keys", { name: "By hand", type: "public" });
  const part = await make("environments", { name: "Staging" });
  const hook = await make("webhooks", { url: "https://hooks.example/a" });
  const found = await Promise.all(
    ["api-keys", "environments", "webhooks"].map(ids),
  );
  const declared = (change: Record<string, unknown> = {}): Declared[] => [
    {
      kind: "ApiKey",
      as: "key",
      args: {
        name: "Shop",
        type: "public",
        adopt: { name: "By hand" },
        ...change,
      },
    },
    {
      kind: "Environment",
      as: "staging",
      args: { name: "Staging", adopt: { name: "Staging" } },
    },
    {
      kind: "Webhook",
      as: "hook",
      args: { url: "https://hooks.example/a", adopt: { id: hook.id } },
    },
  ];
  stack.declare(declared());
  const { changes, shown } = await up();
  expect(changes).toEqual({ create: 4 });
  expect(shown).toContain(
    `ApiKey ${key.id} existed and was adopted; changed: name.`,
  );
  expect(shown).toContain(
    `Environment ${part.id} existed and was adopted; it was as declared.`,
  );
  expect(
    await Promise.all(["api-keys", "environments", "webhooks"].map(ids)),
  ).toEqual(found);

  // Neither another adopt nor none is a difference, before and after a refresh.
  stack.declare(declared({ adopt: { id: "tok_other" } }));
  expect((await stack.preview()).changes).toEqual({ same: 4 });
  expect(await stack.refresh()).toEqual({ same: 4 });
  stack.declare(declared({ adopt: undefined }));
  expect((await up()).changes).toEqual({ same: 4 });
});

it("keeps the object when its resource is renamed, and replaces it when that is asked for", async () => {
  const [id] = (await workspace.list("api-keys"))
    .filter(({ name }) => name === "Shop")
    .map((key) => key.id);
  const key = (as: string, change: Record<string, unknown>): Declared => ({
    kind: "ApiKey",
    as,
    args: { name: "Shop", type: "public", adopt: { name: "Shop" }, ...change },
  });
  stack.declare([key("renamed", {})]);
  const { shown } = await up();
  expect(shown).toMatch(
    new RegExp(`${String(id)}[^]*(not deleted|stays|left)`, "i"),
  );
  expect(await ids("api-keys")).toContain(id);
  stack.declare([key("renamed", {})]);
  expect((await up()).changes).toEqual({ same: 2 });

  stack.declare([key("renamed", { rotation: "2026-11" })]);
  const { text } = await stack.preview();
  expect(text).toMatch(/\+-.*:ApiKey: \(replace\)/);
  expect(text).toMatch(/\+ rotation +: "2026-11"/);
  expect((await up()).changes).toEqual({ same: 1, replace: 1 });
  const left = await workspace.list("api-keys");
  expect(left.map((one) => one.id)).not.toContain(id);
  expect(left.filter(({ name }) => name === "Shop")).toHaveLength(1);
});

it("names the candidates where several could be meant", async () => {
  const twin = await make("api-keys", { name: "Twin", type: "public" });
  const other = await make("api-keys", { name: "Twin", type: "secret" });
  stack.declare([
    {
      kind: "ApiKey",
      as: "twin",
      args: { name: "Twin", type: "public", adopt: { name: "Twin" } },
    },
  ]);
  const said = await stack.failingUp();
  expect(said).toContain('There are 2 API keys with the name "Twin"');
  expect(said).toContain(`${twin.id}, name "Twin", type "public"`);
  expect(said).toContain(`${other.id}, name "Twin", type "secret"`);
});
