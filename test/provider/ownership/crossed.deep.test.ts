import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import type { Properties } from "../../simulation/engine/property-value";
import type { CallError } from "../../simulation/engine/provider";
import {
  dynamicProperties,
  loadKinds,
  startProvider,
  type Form,
} from "../../simulation/forms";
import type { Kind } from "../../helpers/dynamic-host";
import {
  pluginType,
  resourceType,
} from "../../../provider/src/definition/engine-names";

// Two resources and one object: the engine's calls and their results, in both forms.

const workspace = openForTests(new LocalWorkspace());
beforeAll(loadKinds);
beforeEach(() => workspace.control("/reset", undefined));

/** A resource in the state. */
interface Kept {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

/** Begins a command of the engine, with the calls that it makes for resources by name. */
function begin(form: Form) {
  const { url, service } = workspace;
  const provider = startProvider(form, {
    settings: {
      endpoint: url,
      managementKey: service.workspaces.us.managementKey,
      requestsPerSecond: "1000",
    },
    fetch: (address, init) => fetch(address, init),
    log: () => Promise.resolve(),
    stderr: () => undefined,
  });
  const urnOf = (kind: Kind, name: string) =>
    `urn:pulumi:dev::shop::${form === "dynamic" ? resourceType(kind) : pluginType(kind)}::${name}`;
  const isPreview = false;
  return {
    async check(name: string, kind: Kind, args: Properties, was?: Kept) {
      const urn = urnOf(kind, name);
      const place = { urn, replaceOnChanges: [], ignoreChanges: [] };
      const news =
        form === "dynamic"
          ? { ...args, ...dynamicProperties(kind, [], place) }
          : args;
      const { inputs, failures } = await provider.check({
        urn,
        news,
        ...(was && { olds: was.inputs }),
        isPreview,
      });
      return { inputs, refusal: failures.map((one) => one.reason).join() };
    },
    async diff(name: string, kind: Kind, was: Kept, news: Properties) {
      await provider.diff({
        urn: urnOf(kind, name),
        id: was.id,
        oldInputs: was.inputs,
        oldOutputs: was.state,
        news,
        ignoreChanges: [],
        isPreview,
      });
    },
    async create(name: string, kind: Kind, inputs: Properties): Promise<Kept> {
      const urn = urnOf(kind, name);
      const { id, outputs } = await provider.create({ urn, inputs, isPreview });
      return { id, inputs, state: outputs };
    },
    async delete(name: string, kind: Kind, { id, inputs, state }: Kept) {
      await provider.delete({
        urn: urnOf(kind, name),
        id,
        inputs,
        outputs: state,
      });
    },
  };
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went through"),
    (error: CallError) => error.message,
  );

const key = { name: "Till", type: "secret" };
const isThere = async (id: string) =>
  (await workspace.list("api-keys")).some((one) => one.id === id);

describe.each(["dynamic", "plugin"] as const)("in the %s form", (form) => {
  const command = () => begin(form);

  /** Creates a resource in a command of its own. */
  async function make(name: string, kind: Kind, news: Properties) {
    const run = command();
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

    const first = command();
    const same = await first.check("a", "ApiKey", key, a);
    await first.diff("a", "ApiKey", a, same.inputs);
    expect((await first.check("b", "ApiKey", adopting)).refusal).toContain(
      "another resource of this program has it",
    );

    // In the other order, the resource that has the key is refused.
    const second = command();
    const { inputs } = await second.check("b", "ApiKey", adopting);
    const again = await second.check("a", "ApiKey", key, a);
    expect(
      await messageOf(second.diff("a", "ApiKey", a, again.inputs)),
    ).toContain("another resource would take it over. Declare it only once");

    // Both resources are in the state, and only one is still in the program.
    const b = await command().create("b", "ApiKey", inputs);
    expect(b.id).toBe(a.id);
    const third = command();
    const kept = await third.check("a", "ApiKey", key, a);
    await third.diff("a", "ApiKey", a, kept.inputs);
    await third.delete("b", "ApiKey", b);
    expect(await isThere(a.id)).toBe(true);
  });

  it("the deleteContents of an environment may not name a key that a resource has", async () => {
    const a = await make("a", "ApiKey", key);
    const env = { name: "Staging", deleteContents: [a.id] };

    const first = command();
    const same = await first.check("a", "ApiKey", key, a);
    await first.diff("a", "ApiKey", a, same.inputs);
    expect((await first.check("env", "Environment", env)).refusal).toContain(
      `names ${a.id}, which belongs to a resource of this program`,
    );

    // In the other order, the resource that has the key is refused.
    const second = command();
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
    const run = command();
    const { inputs } = await run.check(
      "sealing",
      "EncryptionKey",
      sealed,
      sealing,
    );
    await run.diff("sealing", "EncryptionKey", sealing, inputs);
    expect(await messageOf(run.delete("env", "Environment", env))).toContain(
      `the program declares objects in it that would be lost with it:\n  encryption key of ${env.id}`,
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
    const without = command();
    expect(
      (await without.check("rules", "FilteringRuleSet", declared)).refusal,
    ).toContain("that this resource did not create");

    const run = command();
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
    const run = command();
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
      const run = command();
      expect((await run.check("a", kind, one)).refusal).toBe("");
      expect((await run.check("b", kind, other)).refusal).toContain(
        `Another ${kind} of this program has the`,
      );
    });

    it("are refused by the first preview when one of them names the default environment by its ID", async () => {
      const run = command();
      const { environment } = workspace.service.workspaces.us;
      expect((await run.check("a", kind, one)).refusal).toBe("");
      const { refusal } = await run.check("b", kind, { ...other, environment });
      expect(refusal).toContain(`Another ${kind} of this program has the`);
    });

    it("are refused when the state already has the first", async () => {
      const a = await make("a", kind, one);
      const run = command();
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
