import { describe, expect, it } from "vitest";
import { Secret } from "../../../provider/src/definition/value";
import { sharedForTests } from "../../helpers/local-for-tests";
import { rejection } from "../../sdk/workspace";
import { commandOn, lifecycleOf, makeIn } from "../lifecycle-of";
import { sessionOf } from "../session-of";

// An input that the program marks as secret is in no message, log, diff or path.

const workspace = sharedForTests();

/** Every part of the secret values has this in it, in any case. */
const CANARY = /canary/i;

const shows = (value: unknown) => CANARY.test(JSON.stringify(value));

describe("secret rules", () => {
  const rule = (name: string, more: object = {}) => ({
    name: `canary ${name}`,
    // A message would show it with other quotation marks, in several lines.
    expression: `"canary" in http.request.headers || sdk.version == "it's canary ${name}" || http.request.headers["X-Partner"][0] == "canary"`,
    action: "deny",
    ...more,
  });
  const rules = (...names: string[]) => names.map((name) => rule(name));
  const urn = "urn:pulumi:a::b::devid:index:FilteringRuleSet::rules";

  /** A rule set with these rules, in an environment of its own. */
  async function made(declared: object[]) {
    const name = "Staging";
    const { id: environment } = await workspace.make("/environments", { name });
    const { session } = sessionOf(workspace);
    const news = { environment, rules: new Secret(declared) };
    const set = await makeIn(session, "FilteringRuleSet", news, urn);
    return { ...set, environment, session };
  }

  /** The same after somebody has put other rules in force. */
  async function edited(declared: object[], by: object[]) {
    const { environment, inputs, state, id } = await made(declared);
    await workspace.enforce(by, environment);
    const { lifecycle: of, logged } = commandOn(workspace);
    const lifecycle = of("FilteringRuleSet");
    const checked = async (next: unknown, more: object = {}) => {
      const news = { environment, rules: next, ...more };
      return await lifecycle.check({ urn, news, olds: inputs });
    };
    const update = async (next: unknown, more: object = {}) => {
      const { inputs } = await checked(next, more);
      return await lifecycle.update({ id, urn, state, inputs });
    };
    return { lifecycle, id, state, logged, checked, update };
  }

  it("are not in the paths of a diff, and not in a refused check", async () => {
    const all = rules("a", "b", "c", "d");
    const { lifecycle, id, state, checked } = await edited(all, all);
    const { inputs } = await checked(new Secret(rules("a", "b", "c", "e")));
    const diff = lifecycle.diff({ id, urn, state, news: inputs });
    expect(diff.properties.map(({ path }) => path)).toEqual(["rules"]);
    expect(shows(diff)).toBe(false);
    const { failures } = await checked(new Secret(rules("z")));
    expect(failures.map(({ property }) => property)).toEqual(["rules"]);
    expect(shows(failures)).toBe(false);
  });

  it.each([
    ["still secret", (next: object[]) => new Secret(next)],
    ["no longer secret", (next: object[]) => next],
  ])("that are %s are in no message about drift", async (_, mark) => {
    const by = [
      rule("a", { expression: `sdk.version == "canary of others"` }),
      rule("b", { status: "disabled" }),
    ];
    const { lifecycle, id, state, update, logged } = await edited(
      rules("a", "b", "c"),
      by,
    );
    const next = mark([{ name: "x", expression: "true", action: "deny" }]);
    const { name, message } = await rejection(update(next));
    expect([name, shows(message)]).toEqual(["RuleSetGuardError", false]);
    const refreshed = await lifecycle.read({ id, urn, state });
    const news = refreshed?.inputs ?? {};
    const diff = lifecycle.diff({
      ...{ id, urn, news },
      state: refreshed?.state ?? {},
    });
    expect(diff.summary).toContain("somebody else wrote");
    expect(shows(diff)).toBe(false);
    await update(next, { onDrift: "overwrite", maxDeletedPercent: 100 });
    expect(logged.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(shows(logged)).toBe(false);
  });

  it("leave the words that every rule has in messages", async () => {
    const theirs = { name: "theirs", expression: "true", action: "deny" };
    const { checked, update, logged } = await edited(rules("a"), [theirs]);
    await update(new Secret(rules("b")), {
      ...{ onDrift: "overwrite", maxDeletedPercent: 100 },
    });
    expect(JSON.stringify(logged)).toContain("action: deny");
    const wrong = rule("a", { action: "canary" });
    const { failures } = await checked(new Secret([wrong]));
    expect(failures).toMatchObject([
      { reason: expect.stringContaining("allow, deny") as string },
    ]);
    expect(shows([logged, failures])).toBe(false);
  });

  it("are not in the message about a refused destroy", async () => {
    const { environment, id, state, session } = await made(rules("a"));
    const own = (await workspace.list("filtering-rules")).find(
      (one) => one.environment === environment,
    );
    await workspace.call("POST", `/filtering-rules/${String(own?.id)}`, {
      expression: `sdk.version == "canary, edited"`,
    });
    const { name, message } = await rejection(
      lifecycleOf("FilteringRuleSet", session).delete({ id, urn, state }),
    );
    expect([name, shows(message)]).toEqual(["RuleSetGuardError", false]);
  });
});

it("a secret address is in no message, not even its host or path", async () => {
  const url = "https://user:pw@Canary.example/canary/@x?token=canary#canary";
  const hook = { url: new Secret(url) };
  const make = async () => {
    const { session, logged } = sessionOf(workspace);
    const { id } = await makeIn(session, "Webhook", hook);
    return { id, session, logged };
  };
  const { id } = await make();
  const { session, logged } = await make();
  expect(logged.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(shows(logged)).toBe(false);
  const { failures } = await lifecycleOf("Webhook", session).check({
    news: { ...hook, adopt: new Secret({ id: "wh_none" }) },
  });
  expect(failures).toHaveLength(1);
  expect(shows(failures)).toBe(false);
  const verification = lifecycleOf("WebhookVerification", session);
  const timeoutSeconds = 1;
  for (const given of [url, `${url}.canary`]) {
    const news = { webhookId: id, url: new Secret(given), timeoutSeconds };
    const { inputs } = await verification.check({ news });
    const { message } = await rejection(verification.create({ inputs }));
    expect(message).toContain("was not verified");
    expect(shows(message)).toBe(false);
  }
});

it.each(["./canary/rules.yaml", "/canary.yaml"])(
  "the secret path %s of a rule file is in no message",
  async (path) => {
    const { session } = sessionOf(workspace);
    const { failures } = await lifecycleOf("FilteringRuleSet", session).check({
      news: { rulesFile: new Secret(path) },
    });
    expect(failures).toHaveLength(1);
    expect(shows(failures)).toBe(false);
  },
);
