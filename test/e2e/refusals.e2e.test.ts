import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { declared, type Declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

const key = (change: Record<string, unknown> = {}): Declared =>
  declared("ApiKey", "server", {
    name: "Server",
    type: "secret",
    adopt: { name: "Server" },
    ...change,
  });
/** A resource with an output of the key among its arguments. */
const reader = (output: string): Declared =>
  declared("Environment", "reader", {
    name: "Reader",
    description: `$server.${output}`,
  });

// Each test continues from the state that the previous test left, because a stack has one history.

const WHY =
  'ApiKey "server" has no token: the key was adopted or imported, and the service shows a token only when it creates the key. If the program needs the token, give the resource a `rotation`, any text: this creates a new key in place of this one, and whoever uses this key then needs the new token.';

it("shows every mistake of a resource in the preview, without a request to the service", async () => {
  const mark = await workspace.mark();
  local.stack.declare([
    declared("ApiKey", "short", { name: "ab", type: "secret", rateLimit: 0 }),
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

it("an adopted key is created in the stack when nobody reads its token", async () => {
  await workspace.call("POST", "/api-keys", { name: "Server", type: "secret" });
  local.stack.declare([key()]);
  expect(await local.stack.up()).toEqual({ create: 2 });
});

it("a missing token passes a preview and fails an update", async () => {
  local.stack.declare([key(), reader("token")]);
  expect((await local.stack.preview()).changes).toEqual({ same: 2, create: 1 });
  const said = await local.stack.failingUp();
  // The error appears at once, and again among the diagnostics at the end.
  expect(said.split(WHY)).toHaveLength(3);
  expect(said).not.toMatch(/\n\s+at /);
});

it("a rotation creates a key whose token can be read", async () => {
  local.stack.declare([key({ rotation: "1" }), reader("token")]);
  expect(await local.stack.up()).toEqual({ same: 1, create: 1, replace: 1 });
});

it("an object that the program gets by its ID is read, and never changed or deleted", async () => {
  const made = await workspace.make("/webhooks", {
    url: "https://hooks.example/by-hand",
    description: "made by hand",
  });
  const before = await workspace.list("webhooks");
  const hook = declared("Webhook", "hook", {}, { get: made.id });
  const args = { name: "Copy", description: "$hook.description" };
  local.stack.declare([hook, declared("Environment", "copy", args)]);
  await local.stack.up();
  expect(
    (await workspace.list("environments")).map(
      ({ description }) => description,
    ),
  ).toContain("made by hand");
  local.stack.declare([{ ...hook, get: "wh_0" }]);
  expect(await local.stack.failingUp()).toContain("There is no webhook wh_0");
  local.stack.declare([]);
  await local.stack.up();
  expect(await workspace.list("webhooks")).toEqual(before);
});

it("an object that the program got by its ID is the same in each preview, and is adopted under the same name", async () => {
  const url = "https://hooks.example/got";
  const { id } = await workspace.make("/webhooks", { url });
  const before = await workspace.list("webhooks");
  local.stack.declare([declared("Webhook", "got", {}, { get: id })]);
  await local.stack.up();
  await local.stack.refresh();
  const { said } = await local.stack.preview();
  expect(said).not.toMatch(/claim|^ *[-+~] /m);
  local.stack.declare([declared("Webhook", "got", { url, adopt: { id } })]);
  await local.stack.up();
  expect(await workspace.list("webhooks")).toEqual(before);
  expect(await local.stack.outputs()).toMatchObject({ got: id });
});
