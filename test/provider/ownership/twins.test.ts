import { beforeEach, expect, it } from "vitest";
import type { ResourceDefinition } from "../../../provider/src/definition/define-resource";
import { Lifecycle } from "../../../provider/src/lifecycle/lifecycle";
import * as registry from "../../../provider/src/registry";
import { Session } from "../../../provider/src/session/session";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { clientOf } from "../../clone/write/exported";

const workspace = openForTests(new LocalWorkspace());
let messages: string[];

beforeEach(async () => {
  await workspace.control("/reset", {});
  messages = [];
});

const INPUTS = { name: "Shop", type: "secret", status: "enabled" };

/** A run of the engine, with the lifecycle of API keys. */
function run() {
  const session = new Session(
    () => clientOf(workspace),
    (severity, message) => {
      messages.push(`${severity}: ${message}`);
      return Promise.resolve();
    },
  );
  const definition = registry.ApiKey as unknown as ResourceDefinition;
  return new Lifecycle(definition, session);
}

it("a creation names objects that an interrupted run may have created, with one list request for all creations", async () => {
  const { id, state } = await run().create({
    inputs: { ...INPUTS, name: "First" },
  });
  const [lost, kept] = await Promise.all(
    ["Shop", "Kept"].map(async (name) => {
      return (
        await workspace.make("/api-keys", {
          name,
          type: "secret",
        })
      ).id;
    }),
  );
  const next = run();
  next.diff({ id, state, news: { ...INPUTS, name: "First" } });
  const mark = await workspace.mark();
  await next.create({ inputs: INPUTS });
  // Of another type, so no update could turn it into the declared key.
  await next.create({ inputs: { ...INPUTS, name: "Kept", type: "proxy" } });
  expect(messages).toSay("ownership/twin", { lost: String(lost) });
  expect(messages.join()).not.toContain(kept);
  const calls = await workspace.callsSince(mark);
  expect(calls.filter((call) => call === "GET /api-keys")).toHaveLength(1);
});

it("a creation does not name an object that this run deleted before, as in a replacement that deletes first", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  messages = [];
  const next = run();
  // The list of the first creation has the old key.
  await next.create({ inputs: { ...INPUTS, name: "First" } });
  await next.delete({ id, state });
  await next.create({ inputs: INPUTS });
  expect(messages).toEqual([]);
});

it("a creation does not name an object that the state has", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  const next = run();
  await next.check({ news: INPUTS, olds: INPUTS });
  next.diff({ id, state, news: INPUTS });
  await next.create({ inputs: INPUTS });
  expect(messages).toEqual([]);
});

it("the delete of an object that a warning has named says that it is not left over", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  // For --replace, the engine calls neither check with the last inputs nor diff.
  const next = run();
  await next.create({ inputs: INPUTS });
  expect(messages).toSay("ownership/twin");
  messages = [];
  await next.delete({ id, state });
  expect(messages).toSay("ownership/twin-deleted");
});

it("a creation makes no other call between its POST and its answer to the engine", async () => {
  const mark = await workspace.mark();
  await run().create({ inputs: INPUTS });
  expect(await workspace.callsSince(mark)).toEqual([
    "GET /environments",
    "GET /api-keys",
    "POST /api-keys",
  ]);
});

it("a creation succeeds when the list fails", async () => {
  const { id, state } = await run().create({
    inputs: { ...INPUTS, name: "First" },
  });
  const next = run();
  next.diff({ id, state, news: { ...INPUTS, name: "First" } });
  await workspace.refuseOnce({ method: "GET", path: "/management/api-keys" });
  expect((await next.create({ inputs: INPUTS })).id).toMatch(/^tok_/);
});
