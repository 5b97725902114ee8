import { expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests";
import { lifecycleOf } from "../lifecycle-of";
import { sessionOf, type LoggedMessage } from "../session-of";

const workspace = localForTests();

const INPUTS = { name: "Shop", type: "secret", status: "enabled" };

/** The messages of the last run. */
let logged: LoggedMessage[];
const messages = () =>
  logged.map(({ severity, text }) => `${severity}: ${text}`);

/** A run of the engine, with the lifecycle of API keys. */
function run() {
  const started = sessionOf(workspace);
  ({ logged } = started);
  return lifecycleOf("ApiKey", started.session);
}

it("a creation names objects that an interrupted run may have created, with one list request for all creations", async () => {
  const { id, state } = await run().create({
    inputs: { ...INPUTS, name: "First" },
  });
  const [lost, kept] = await Promise.all(
    ["Shop", "Kept"].map((name) =>
      workspace.make("/api-keys", { name, type: "secret" }),
    ),
  );
  const next = run();
  next.diff({ id, state, news: { ...INPUTS, name: "First" } });
  const mark = await workspace.mark();
  await next.create({ inputs: INPUTS });
  // Of another type, so no update could turn it into the declared key.
  await next.create({ inputs: { ...INPUTS, name: "Kept", type: "proxy" } });
  expect(messages()).toSay("ownership/twin", { lost: String(lost?.id) });
  expect(messages().join()).not.toContain(kept?.id);
  const calls = await workspace.callsSince(mark);
  expect(calls.filter((call) => call === "GET /api-keys")).toHaveLength(1);
});

it("a creation does not name an object that this run deleted before, as in a replacement that deletes first", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  const next = run();
  // The list of the first creation has the old key.
  await next.create({ inputs: { ...INPUTS, name: "First" } });
  await next.delete({ id, state });
  await next.create({ inputs: INPUTS });
  expect(messages()).toEqual([]);
});

it("a creation does not name an object that the state has", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  const next = run();
  await next.check({ news: INPUTS, olds: INPUTS });
  next.diff({ id, state, news: INPUTS });
  await next.create({ inputs: INPUTS });
  expect(messages()).toEqual([]);
});

it("the delete of an object that a warning has named says that it is not left over", async () => {
  const { id, state } = await run().create({ inputs: INPUTS });
  // For --replace, the engine calls neither check with the last inputs nor diff.
  const next = run();
  await next.create({ inputs: INPUTS });
  expect(messages()).toSay("ownership/twin");
  logged.length = 0;
  await next.delete({ id, state });
  expect(messages()).toSay("ownership/twin-deleted");
});

it("the delete of the rules of an environment that a warning has named does not speak of the environment", async () => {
  const inputs = { name: "Staging", limitMode: "none" };
  const { session } = sessionOf(workspace);
  const first = lifecycleOf("Environment", session);
  const { id: environment } = await first.create({ inputs });
  const rules = await lifecycleOf("FilteringRuleSet", session).create({
    inputs: {
      environment,
      rules: [{ name: "a", expression: "true", action: "deny" }],
    },
  });
  const next = sessionOf(workspace);
  await lifecycleOf("Environment", next.session).create({ inputs });
  expect(next.logged.map(({ text }) => text).join()).toContain(environment);
  next.logged.length = 0;
  await lifecycleOf("FilteringRuleSet", next.session).delete(rules);
  expect(next.logged).toEqual([]);
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
