import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

const make = async (collection: string, body: object) =>
  (await workspace.call("POST", `/${collection}`, body)) as { id: string };
const ids = async (collection: string) =>
  (await workspace.list(collection)).map(({ id }) => id);

/** Runs an update. Returns the counts and the output of the engine. */
const up = async () => {
  const before = local.stack.output.length;
  const changes = await local.stack.up();
  return { changes, shown: local.stack.output.slice(before) };
};

// Each test continues from the state that the previous test left, because a stack has one history.

it("adopts objects that were created by hand, and says so in the output", async () => {
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
  local.stack.declare(declared());
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

  // Another adopt, or no adopt, makes no difference, before and after a refresh.
  local.stack.declare(declared({ adopt: { id: "tok_other" } }));
  expect((await local.stack.preview()).changes).toEqual({ same: 4 });
  local.stack.declare(declared({ adopt: undefined }));
  expect(await local.stack.up("--refresh")).toEqual({ same: 4 });

  local.stack.declare(declared({ rotation: "2026-11" }));
  const { text } = await local.stack.preview();
  expect(text).toMatch(/\+-.*:ApiKey: \(replace\)/);
  expect(text).toMatch(/\+ rotation +: "2026-11"/);
});
