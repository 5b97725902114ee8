import { describe, expect, it } from "vitest";
import type { Properties } from "../../../../provider/src/definition/value";
import type { Session } from "../../../../provider/src/session/session";
import type { Kind } from "../../../helpers/provider-host";
import { localForTests } from "../../../helpers/local-for-tests";
import { lifecycleOf, makeIn } from "../../lifecycle-of";
import { sessionOf } from "../../session-of";
import { rejection } from "../../../sdk/workspace";

const workspace = localForTests();

const URL = "https://till.example/hook";

/** A resource in the state, with the engine's data. */
interface Made {
  readonly kind: Kind;
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
}

const make = async (
  kind: Kind,
  news: Properties,
  { session } = sessionOf(workspace),
): Promise<Made> => ({ kind, ...(await makeIn(session, kind, news)) });

const staging = (more: Properties = {}) =>
  make("Environment", { name: "Staging", ...more });

const destroy = (
  { kind, id, state }: Made,
  session: Session = sessionOf(workspace).session,
) => lifecycleOf(kind, session).delete({ id, state });

/** The environment with a state that names objects to delete with it. */
const naming = (
  made: Made,
  ...objects: readonly { readonly id: string }[]
): Made => ({
  ...made,
  state: { ...made.state, deleteContents: objects.map(({ id }) => id) },
});

const refusal = async (made: Made, session?: Session) =>
  (await rejection(destroy(made, session))).message;

const byHand = (path: string, body: object) => workspace.make(path, body);

/** The objects that somebody created in the environment in the dashboard. */
async function fill(environment: string) {
  const key = await byHand("/api-keys", {
    name: "Till",
    type: "public",
    environment,
  });
  const off = await byHand("/api-keys", {
    name: "Old till",
    type: "secret",
    environment,
  });
  await workspace.call("PATCH", `/api-keys/${off.id}`, { status: "disabled" });
  const hook = await byHand("/webhooks", {
    url: `${URL}?key=a-key-of-ours`,
    environment,
  });
  const rule = await byHand("/filtering-rules", {
    name: "block-office",
    expression: "sdk.platform.is_ios",
    action: "deny",
    environment,
  });
  return { key, off, hook, rule };
}

const exists = async ({ id }: { readonly id: string }) =>
  (await workspace.list("environments")).some((one) => one.id === id);

describe("an environment with objects that somebody created by hand", () => {
  it("is not deleted: every object is listed, and none is touched", async () => {
    const environment = await staging();
    const { key, off, hook, rule } = await fill(environment.id);
    const before = await workspace.contents();
    const mark = await workspace.mark();
    const message = await refusal(environment);
    expect(message).toSay("environment/has-objects", {
      environment: environment.id,
      key: key.id,
      off: off.id,
      rule: rule.id,
      hook: hook.id,
      deleteContents: `["${key.id}","${off.id}","${rule.id}","${hook.id}"]`,
    });
    expect(await workspace.writesSince(mark)).toEqual([]);
    expect(await workspace.contents()).toEqual(before);
  });

  it("is not deleted when it has only a disabled key", async () => {
    const environment = await staging();
    const { key, hook, rule } = await fill(environment.id);
    for (const path of [
      `/api-keys/${key.id}`,
      `/webhooks/${hook.id}`,
      `/filtering-rules/${rule.id}`,
    ])
      await workspace.call("DELETE", path);
    expect(await refusal(environment)).toContain('name "Old till"');
    expect(await exists(environment)).toBe(true);
  });

  it("is deleted with the objects that deleteContents names", async () => {
    let environment = await staging();
    const { key, off, hook, rule } = await fill(environment.id);
    environment = naming(environment, key, off, hook, rule);
    await workspace.call("PATCH", `/api-keys/${key.id}`, {
      status: "disabled",
    });
    const mark = await workspace.mark();
    const { session, logged } = sessionOf(workspace);
    await destroy(environment, session);
    expect(await workspace.writesSince(mark)).toEqual([
      `DELETE /environments/${environment.id}`,
    ]);
    expect(await exists(environment)).toBe(false);
    expect(await workspace.list("webhooks")).toEqual([]);
    const [{ severity, text } = expect.fail("nothing was told")] = logged;
    expect(severity).toBe("info");
    expect(text).toContain(
      `Environment ${environment.id} ("Staging") is deleted with these objects in it, as its deleteContents says:\n  API key ${key.id}, name "Till"`,
    );
    expect(text).toContain(
      `\n  webhook ${hook.id}, url https://till.example/[redacted]`,
    );
    expect(text).not.toContain("a-key-of-ours");
  });

  it("is not deleted with an enabled key, even if deleteContents names it", async () => {
    let environment = await staging();
    const { key, off, hook, rule } = await fill(environment.id);
    environment = naming(environment, key, off, hook, rule);
    const before = await workspace.contents();
    const message = await refusal(environment);
    expect(message).toContain(`\n  API key ${key.id}, name "Till"`);
    expect(message).not.toContain("Old till");
    expect(await workspace.contents()).toEqual(before);
  });
});

describe("an environment with other objects of its stack", () => {
  it("is deleted once the concurrent deletes of its objects are done", async () => {
    const environment = await staging();
    const inIt = { environment: environment.id };
    const others = [
      await make("ApiKey", { name: "Till", type: "public", ...inIt }),
      await make("Webhook", { url: URL, ...inIt }),
      await make("FilteringRuleSet", {
        ...inIt,
        rules: [
          { name: "a", expression: "sdk.platform.is_ios", action: "deny" },
        ],
      }),
    ];
    await workspace.faultOnce("DELETE /api-keys/*", { delayMs: 200 });
    const { session } = sessionOf(workspace);
    // The engine starts the deletes together when the program gives the environment as a literal ID.
    await Promise.all(
      [environment, ...others].map((one) => destroy(one, session)),
    );
    expect(await exists(environment)).toBe(false);
  });

  it("is kept when the program keeps one of the objects, even with deleteContents", async () => {
    let environment = await staging();
    const key = await make("ApiKey", {
      name: "Till",
      type: "public",
      environment: environment.id,
    });
    const { off } = await fill(environment.id);
    environment = naming(environment, key, off);
    const { session } = sessionOf(workspace);
    const keys = lifecycleOf("ApiKey", session);
    await keys.check({ news: key.inputs, olds: key.inputs });
    keys.diff({ id: key.id, state: key.state, news: key.inputs });
    const mark = await workspace.mark();
    const message = await refusal(environment, session);
    expect(message).toContain(
      `was not deleted, because the program declares objects in it that would be lost with it:\n  API key ${key.id}, name "Till"`,
    );
    expect(message).not.toContain("Old till");
    expect(await workspace.writesSince(mark)).toEqual([]);
  });

  it("is kept when a resource takes over its encryption key while the delete reads the lists", async () => {
    const environment = await staging();
    await workspace.faultOnce("GET /api-keys", { delayMs: 1_000 });
    const run = sessionOf(workspace);
    const message = refusal(environment, run.session);
    // The engine starts the delete and the create together when the program gives the environment as a
    // literal ID.
    await make("EncryptionKey", { environment: environment.id }, run);
    expect(await message).toContain(`\n  encryption key of ${environment.id}`);
    expect(await exists(environment)).toBe(true);
  });

  it("is kept when this run saw no program, because the program may declare the other objects", async () => {
    const environment = await staging();
    const key = await make("ApiKey", {
      name: "Till",
      type: "public",
      environment: environment.id,
    });
    const { off, ...others } = await fill(environment.id);
    const named = naming(environment, off, ...Object.values(others));
    expect(await refusal(named)).toContain(
      `that would be lost with it:\n  API key ${key.id}, name "Till"`,
    );
    // A state that somebody edited, in which `deleteContents` is no list.
    const all = { ...environment.state, deleteContents: true };
    expect(await refusal({ ...environment, state: all })).toContain(key.id);
    expect(await exists(environment)).toBe(true);
  });

  it("is kept when the service refuses to list its rules, because it may have some", async () => {
    const environment = await staging();
    await workspace.fault({
      match: { method: "GET", path: "/management/filtering-rules" },
      then: {
        status: 403,
        body: { error: { code: "forbidden", message: "not for this key" } },
      },
    });
    expect(await refusal(environment)).toContain(
      'filtering rule rules, description "any number: the service does not list them"',
    );
    expect(await exists(environment)).toBe(true);
    await destroy(naming(environment, { id: "rules" }));
    expect(await exists(environment)).toBe(false);
  });

  it("does not wait for an object that nobody deletes", async () => {
    const environment = await staging();
    await fill(environment.id);
    const mark = await workspace.mark();
    await refusal(environment);
    const lists = (await workspace.requestsSince(mark)).map(({ path }) => path);
    // A delete that waits reads the lists again.
    expect(lists).toEqual([...new Set(lists)]);
  });
});

it("many environments are deleted with few calls", async () => {
  const made: Made[] = [];
  for (let n = 0; n < 10; n++)
    made.push(await make("Environment", { name: `Copy ${n}` }));
  const filled = made[3] ?? expect.fail("there are ten");
  await fill(filled.id);
  const mark = await workspace.mark();
  const { session } = sessionOf(workspace);
  const ends = await Promise.allSettled(
    made.map((one) => destroy(one, session)),
  );
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await exists(filled)).toBe(true);
  const log = await workspace.requestsSince(mark);
  const reads = log.filter(({ method }) => method === "GET");
  expect(reads.length).toBeLessThan(12);
  expect(log.filter(({ method }) => method === "DELETE")).toHaveLength(9);
});
