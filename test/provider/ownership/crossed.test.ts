import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  DynamicHost,
  type HostError,
  type Kind,
  type Properties,
} from "../../helpers/dynamic-host";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { PluginHost } from "../../helpers/plugin-host";
import { settingsOf } from "../settings-of";

// Two resources with the same object: the results of the engine's calls, in both forms.

const workspace = openForTests(new LocalWorkspace());
beforeEach(() => workspace.control("/reset", undefined));

/** A resource in the state. */
interface Kept {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

/** One command of the engine, with the calls that it makes for a named resource. */
interface Command {
  check(
    name: string,
    kind: Kind,
    news: Properties,
    was?: Kept,
  ): Promise<{ inputs: Properties; refusal: string }>;
  diff(name: string, kind: Kind, was: Kept, inputs: Properties): Promise<void>;
  create(name: string, kind: Kind, inputs: Properties): Promise<Kept>;
  delete(name: string, kind: Kind, was: Kept): Promise<void>;
  stop(): Promise<void>;
}

async function dynamic(): Promise<Command> {
  const host = await DynamicHost.start(settingsOf(workspace));
  const told = (name: string, inputs: Properties) => ({
    ...inputs,
    __urn: `urn:pulumi:dev::shop::devid::${name}`,
  });
  return {
    async check(name, kind, news, was) {
      const { inputs, failures } = await host.check(
        kind,
        told(name, news),
        was?.inputs,
      );
      return { inputs, refusal: failures.map((one) => one.reason).join() };
    },
    async diff(_name, kind, { id, state }, inputs) {
      await host.diff(kind, id, state, inputs);
    },
    async create(_name, kind, inputs) {
      const { id, properties } = await host.create(kind, inputs);
      return { id, inputs, state: properties };
    },
    delete: (_name, kind, { id, state }) => host.delete(kind, id, state),
    stop: () => host.stop(),
  };
}

async function plugin(): Promise<Command> {
  const { url, service } = workspace;
  const host = await PluginHost.start({
    endpoint: url,
    managementKey: service.workspaces.us.managementKey,
    requestsPerSecond: 1000,
  });
  const at = (name: string) => {
    host.urn = `urn:pulumi:dev::shop::devid::${name}`;
    return host;
  };
  return {
    async check(name, kind, news, was) {
      const { inputs, failures } = await at(name).check(
        kind,
        news,
        was?.inputs,
      );
      return { inputs, refusal: failures.map((one) => one.reason).join() };
    },
    async diff(name, kind, { id, state }, inputs) {
      await at(name).diff(kind, id, state, inputs);
    },
    async create(name, kind, inputs) {
      const { id, properties } = await at(name).create(kind, inputs);
      return { id, inputs, state: properties };
    },
    delete: (name, kind, { id, state }) => at(name).delete(kind, id, state),
    stop: () => host.stop(),
  };
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went through"),
    (error: HostError) => error.message,
  );

const key = { name: "Till", type: "secret" };
const isThere = async (id: string) =>
  (await workspace.list("api-keys")).some((one) => one.id === id);

describe.each([
  ["dynamic", dynamic],
  ["plugin", plugin],
])("in the %s form", (_form, start) => {
  const commands: Command[] = [];
  afterEach(async () => {
    for (const command of commands.splice(0)) await command.stop();
  });
  const command = async () => {
    const started = await start();
    commands.push(started);
    return started;
  };

  /** Creates a resource in a command of its own. */
  async function make(name: string, kind: Kind, news: Properties) {
    const run = await command();
    const { inputs, refusal } = await run.check(name, kind, news);
    expect(refusal).toBe("");
    return run.create(name, kind, inputs);
  }

  it("a key in the state of one resource, without a claim, is neither adopted by another nor deleted with it", async () => {
    const made = await make("a", "ApiKey", key);
    const { owner, ...others } = made.state;
    const { claim: _, ...unclaimed } = owner as Properties;
    const a = { ...made, state: { ...others, owner: unclaimed } };
    const adopting = { ...key, adopt: { id: a.id } };

    const first = await command();
    const same = await first.check("a", "ApiKey", key, a);
    await first.diff("a", "ApiKey", a, same.inputs);
    expect((await first.check("b", "ApiKey", adopting)).refusal).toContain(
      "another resource of this program has it",
    );

    // In the other order, the resource that has the key is refused.
    const second = await command();
    const { inputs } = await second.check("b", "ApiKey", adopting);
    const again = await second.check("a", "ApiKey", key, a);
    expect(
      await messageOf(second.diff("a", "ApiKey", a, again.inputs)),
    ).toContain("another resource would take it over. Declare it only once");

    // An old version let both resources into the state.
    const b = await (await command()).create("b", "ApiKey", inputs);
    expect(b.id).toBe(a.id);
    const third = await command();
    const kept = await third.check("a", "ApiKey", key, a);
    await third.diff("a", "ApiKey", a, kept.inputs);
    expect(await messageOf(third.delete("b", "ApiKey", b))).toContain(
      "another resource of this program has it, too",
    );
    expect(await isThere(a.id)).toBe(true);
  });

  it("the deleteContents of an environment may not name a key that a resource has", async () => {
    const a = await make("a", "ApiKey", key);
    const env = { name: "Staging", deleteContents: [a.id] };

    const first = await command();
    const same = await first.check("a", "ApiKey", key, a);
    await first.diff("a", "ApiKey", a, same.inputs);
    expect((await first.check("env", "Environment", env)).refusal).toContain(
      `names ${a.id}, which belongs to a resource of this program`,
    );

    // In the other order, the resource that has the key is refused.
    const second = await command();
    expect((await second.check("env", "Environment", env)).refusal).toBe("");
    const again = await second.check("a", "ApiKey", key, a);
    expect(
      await messageOf(second.diff("a", "ApiKey", a, again.inputs)),
    ).toContain(`Remove ${a.id} from deleteContents`);
    const adopting = { ...key, adopt: { id: a.id } };
    expect((await second.check("b", "ApiKey", adopting)).refusal).toContain(
      `Remove ${a.id} from deleteContents`,
    );
    expect(await isThere(a.id)).toBe(true);
  });

  it("an environment is not deleted with its encryption key while a resource has the key", async () => {
    const env = await make("env", "Environment", { name: "Staging" });
    const sealed = { environment: env.id, status: "enabled" };
    const sealing = await make("sealing", "EncryptionKey", sealed);
    const run = await command();
    const { inputs } = await run.check(
      "sealing",
      "EncryptionKey",
      sealed,
      sealing,
    );
    await run.diff("sealing", "EncryptionKey", sealing, inputs);
    expect(await messageOf(run.delete("env", "Environment", env))).toContain(
      `the program declares objects in it that would be lost with it:\n  encryption key ${sealing.id}`,
    );
    const left = await workspace.list("environments");
    expect(left.some(({ id }) => id === env.id)).toBe(true);
  });

  it("rules from an interrupted update of the same environment are rewritten when they are equal, and refused otherwise", async () => {
    const env = await make("env", "Environment", { name: "Staging" });
    const rules = [
      { name: "all", expression: "true", action: "deny" },
      { name: "rest", expression: "false", action: "allow" },
    ];
    const declared = { environment: env.id, rules };
    await make("rules", "FilteringRuleSet", declared);
    const without = await command();
    expect(
      (await without.check("rules", "FilteringRuleSet", declared)).refusal,
    ).toContain("that this resource did not create");

    const run = await command();
    const same = await run.check(
      "env",
      "Environment",
      { name: "Staging" },
      env,
    );
    await run.diff("env", "Environment", env, same.inputs);
    const other = { environment: env.id, rules: rules.slice(0, 1) };
    expect(
      (await run.check("rules", "FilteringRuleSet", other)).refusal,
    ).toContain("that this resource did not create");
    const { inputs, refusal } = await run.check(
      "rules",
      "FilteringRuleSet",
      declared,
    );
    expect(refusal).toBe("");
    const made = await run.create("rules", "FilteringRuleSet", inputs);
    const inForce = (await workspace.list("filtering-rules")).filter(
      (one) => one.environment === env.id,
    );
    expect(made.state.ruleIds).toEqual(
      Object.fromEntries(inForce.map(({ name, id }) => [name, id])),
    );
  });

  it("an adopted key is kept when the resource with the new name could not list the keys after the check", async () => {
    const old = await make("old", "ApiKey", key);
    const run = await command();
    const { inputs, refusal } = await run.check("new", "ApiKey", {
      ...key,
      adopt: { name: "Till" },
    });
    expect(refusal).toBe("");
    await workspace.fault({
      match: { method: "GET", path: "/management/api-keys" },
      then: { status: 403 },
    });
    await messageOf(run.create("new", "ApiKey", inputs));
    await workspace.forgetFaults();
    expect(await messageOf(run.delete("old", "ApiKey", old))).toContain(
      "another resource of this program should take it over in this update but could not",
    );
    expect(await isThere(old.id)).toBe(true);
  });

  describe.each([
    ["EncryptionKey", { status: "enabled" }, { status: "disabled" }],
    [
      "FilteringRuleSet",
      { rules: [], allowEmpty: true },
      { rules: [], allowEmpty: true, takeOver: true },
    ],
  ] as const)("two of %s of one environment", (kind, one, other) => {
    it("are refused by the first preview, before anything is written", async () => {
      const run = await command();
      expect((await run.check("a", kind, one)).refusal).toBe("");
      expect((await run.check("b", kind, other)).refusal).toContain(
        `Another ${kind} of this program has the`,
      );
    });

    it("are refused when only the creation knows their environment", async () => {
      const run = await command();
      const { environment } = workspace.service.workspaces.us;
      const a = await run.check("a", kind, one);
      const b = await run.check("b", kind, { ...other, environment });
      expect(b.refusal).toBe("");
      const before = await workspace.contents();
      const ends = await Promise.allSettled([
        run.create("a", kind, a.inputs),
        run.create("b", kind, b.inputs),
      ]);
      expect(ends.map(({ status }) => status)).toEqual([
        "rejected",
        "rejected",
      ]);
      expect(await workspace.contents()).toEqual(before);
    });

    it("are refused when the state already has the first", async () => {
      const a = await make("a", kind, one);
      const run = await command();
      const { refusal } = await run.check("b", kind, other);
      const { inputs } = await run.check("a", kind, one, a);
      const late = run.diff("a", kind, a, inputs).then(
        () => "",
        (error: Error) => error.message,
      );
      expect(refusal + (await late)).toContain(
        "another resource would take it over",
      );
    });
  });
});
