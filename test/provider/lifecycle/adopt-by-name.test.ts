import { describe, expect, it } from "vitest";
import type { Properties } from "../../../provider/src/definition/value";
import { UNKNOWN } from "../../../provider/src/definition/value";
import type { Kind } from "../../helpers/provider-host";
import { localForTests } from "../../helpers/local-for-tests";
import { commandOn, lifecycleOf } from "../lifecycle-of";

const workspace = localForTests();

const make = (collection: string, body: object) =>
  workspace.make(`/${collection}`, body);

/** A run of the engine with `adopt: byName`. */
function run(adopt: "byName" | "off" = "byName") {
  const command = commandOn(workspace, {}, adopt === "byName" ? { adopt } : {});
  const { session, logged, lifecycle } = command;
  const urnOf = (kind: string, name: string) =>
    `urn:pulumi:test::shop::devid:index:${kind}::${name}`;
  return {
    session,
    messages: () => logged.map(({ text }) => text),
    check: (kind: Kind, name: string, news: Properties, olds?: Properties) =>
      lifecycle(kind).check({ urn: urnOf(kind, name), news, olds }),
    create: (kind: Kind, name: string, news: Properties) =>
      command.make(kind, news, urnOf(kind, name)),
    diff: (kind: Kind, name: string, id: string, state: Properties) =>
      lifecycle(kind).diff({ urn: urnOf(kind, name), id, state, news: state }),
  };
}

const SERVER = { name: "Server", type: "secret" } as const;

const rules = [
  { name: "ios", expression: "sdk.platform.is_ios", action: "deny" },
];

describe("adopt: byName", () => {
  it("takes over the object of each kind that has the identity of the resource, without a write", async () => {
    const staging = await make("environments", { name: "Staging" });
    const environment = staging.id;
    const pages = { name: "Pages", type: "public", environment } as const;
    const [key, pagesKey, hook] = [
      await make("api-keys", SERVER),
      await make("api-keys", pages),
      await make("webhooks", { url: "https://shop.example/hook", environment }),
    ];
    await workspace.enforce(rules, environment);
    const mark = await workspace.mark();
    const { create } = run();
    const made = [
      await create("Environment", "staging", { name: "Staging" }),
      await create("ApiKey", "server", SERVER),
      await create("ApiKey", "pages", pages),
      await create("Webhook", "hook", {
        url: "https://shop.example/hook",
        environment,
      }),
    ];
    expect(made.map(({ id }) => id)).toEqual([
      staging.id,
      key.id,
      pagesKey.id,
      hook.id,
    ]);
    expect(await workspace.writesSince(mark)).toEqual([]);
    // The rules are written, because each write gives its rules new IDs.
    await create("FilteringRuleSet", "rules", { environment, rules });
  });

  it("makes an object if none has the identity: another type, environment or name", async () => {
    const found = await make("api-keys", SERVER);
    const { create } = run();
    const proxy = await create("ApiKey", "a", { ...SERVER, type: "proxy" });
    const other = await create("ApiKey", "b", { ...SERVER, name: "Till" });
    expect([proxy.id, other.id]).not.toContain(found.id);
  });

  it("never means the default environment, whose name another environment may have", async () => {
    const { create, messages } = run();
    const made = await create("Environment", "one", { name: "Default" });
    expect(messages()).toEqual([]);
    const mark = await workspace.mark();
    const found = await run().create("Environment", "one", { name: "Default" });
    expect(found.id).toBe(made.id);
    expect(await workspace.writesSince(mark)).toEqual([]);
  });

  it("refuses several, with their IDs, in the check", async () => {
    const [one, two] = [
      await make("api-keys", SERVER),
      await make("api-keys", SERVER),
    ];
    const { check } = run();
    const { failures } = await check("ApiKey", "server", SERVER);
    expect(failures).toHaveLength(1);
    for (const { id } of [one, two]) expect(failures[0]?.reason).toContain(id);
    expect(failures[0]?.reason).toContain("adopt: { id:");
  });

  it("leaves the object of a resource of the program, and of the same run, and makes another one", async () => {
    const { id, state } = await run().create("ApiKey", "server", SERVER);
    const next = run();
    await next.check("ApiKey", "server", SERVER, SERVER);
    next.diff("ApiKey", "server", id, state);
    const made = await Promise.all([
      next.create("ApiKey", "second", SERVER),
      next.create("ApiKey", "third", SERVER),
    ]);
    expect(new Set([id, ...made.map((one) => one.id)]).size).toBe(3);
  });

  it("refuses to take the object of a resource that is declared later, before anything is changed", async () => {
    const { id, state } = await run().create("ApiKey", "server", SERVER);
    const next = run();
    await next.check("ApiKey", "second", SERVER);
    await next.check("ApiKey", "server", SERVER, SERVER);
    expect(() => next.diff("ApiKey", "server", id, state)).toThrow(
      "devid:adopt is byName",
    );
  });

  it("gives one object to one of two equal new resources that are created at once", async () => {
    const found = await make("api-keys", SERVER);
    const { create } = run();
    const made = await Promise.all([
      create("ApiKey", "one", SERVER),
      create("ApiKey", "two", SERVER),
    ]);
    const ids = made.map(({ id }) => id);
    expect(ids.filter((id) => id === found.id)).toHaveLength(1);
    expect(new Set(ids).size).toBe(2);
  });

  it("ends with the creation: a replacement makes a new object", async () => {
    const found = await make("api-keys", SERVER);
    const { create } = run();
    const { id, state } = await create("ApiKey", "server", SERVER);
    expect(id).toBe(found.id);
    const next = run();
    await next.check("ApiKey", "server", { ...SERVER, rotation: "2" }, SERVER);
    next.diff("ApiKey", "server", id, state);
    const replaced = await next.create("ApiKey", "server", {
      ...SERVER,
      rotation: "2",
    });
    expect(replaced.id).not.toBe(id);
  });

  it("asks for the list again after a creation that went on without", async () => {
    const till = { ...SERVER, name: "Till" };
    const found = await make("api-keys", till);
    const { create, session } = run();
    session.ledger.mention("urn:pulumi:test::shop::devid:index:ApiKey::server");
    await workspace.refuseOnce({ path: "/management/api-keys*" });
    await create("ApiKey", "server", SERVER);
    expect((await create("ApiKey", "till", till)).id).toBe(found.id);
  });

  it("never takes an object that this run has deleted", async () => {
    const first = run();
    const { id, state } = await first.create("ApiKey", "server", SERVER);
    const next = run();
    await next.check("ApiKey", "other", { ...SERVER, name: "Till" });
    await lifecycleOf("ApiKey", next.session).delete({ id, state });
    const made = await next.create("ApiKey", "again", SERVER);
    expect(made.id).not.toBe(id);
  });

  it("is decided by the update if the environment is not known in the preview", async () => {
    const staging = await make("environments", { name: "Staging" });
    const pages = { name: "Pages", type: "public" } as const;
    const found = await make("api-keys", { ...pages, environment: staging.id });
    const { check, create, messages } = run();
    const unknown = { ...pages, environment: UNKNOWN };
    expect((await check("ApiKey", "pages", unknown)).failures).toEqual([]);
    expect(messages()).toEqual([]);
    const known = { ...pages, environment: staging.id };
    expect((await create("ApiKey", "pages", known)).id).toBe(found.id);
  });

  it.each([
    ["by name", () => ({})],
    ["by ID", (id: string) => ({ adopt: { id } })],
  ])(
    "says in the preview what it takes over and changes, with one list for all resources of a kind, %s",
    async (_, by) => {
      const ids: string[] = [];
      for (const name of ["One", "Two", "Three"])
        ids.push((await make("api-keys", { ...SERVER, name })).id);
      const { check, messages } = run();
      const mark = await workspace.mark();
      await Promise.all(
        ["One", "Two", "Three"].map((name, n) =>
          check("ApiKey", name, {
            ...SERVER,
            name,
            rateLimit: 9,
            ...by(ids[n] ?? ""),
          }),
        ),
      );
      expect(messages().sort()).toEqual(
        ids
          .toSorted()
          .map((id) => expect.toSay("adopt/will-be-adopted", { id })),
      );
      const lists = (await workspace.requestsSince(mark)).filter(({ path }) =>
        path.startsWith("/management/api-keys"),
      );
      expect(lists).toHaveLength(1);
    },
  );

  it("sends no test event to the address of a webhook that is verified", async () => {
    const url = "https://shop.example/verified";
    const hook = (await workspace.control("/us/webhooks", {
      url,
      verified: true,
    })) as { id: string };
    const mark = await workspace.mark();
    const program = { webhookId: hook.id, url };
    await run().create("WebhookVerification", "answers", program);
    expect(await workspace.writesSince(mark)).toEqual([]);
  });

  it("is off by default", async () => {
    const found = await make("api-keys", SERVER);
    const { create } = run("off");
    expect((await create("ApiKey", "server", SERVER)).id).not.toBe(found.id);
  });

  it("takes over rules in force, which are otherwise refused", async () => {
    await workspace.enforce(rules);
    const program = { rules: [{ ...rules[0], name: "other" }] };
    const refused = await run("off").check(
      "FilteringRuleSet",
      "rules",
      program,
    );
    expect(refused.failures).toHaveLength(1);
    await run().create("FilteringRuleSet", "rules", program);
    const inForce = await workspace.list("filtering-rules");
    expect(inForce.map(({ name }) => name)).toEqual(["other"]);
  });
});
