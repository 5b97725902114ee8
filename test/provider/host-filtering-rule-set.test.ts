import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import {
  DynamicHost,
  type HostError,
  type Properties,
} from "../helpers/dynamic-host";
import { HostedResource } from "../helpers/hosted-resource";
import { LocalWorkspace } from "../helpers/local-workspace";
import { settingsOf } from "./settings-of";

interface Rule {
  readonly name: string;
  readonly expression: string;
  readonly action: string;
  readonly status?: string;
}

let workspace: LocalWorkspace;
let host: DynamicHost;
/** An environment of the test's own, and its rules. */
let environment: string;
let set: HostedResource;
beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  host = await DynamicHost.start(settingsOf(workspace));
});
beforeEach(async () => {
  const body = { name: "Staging" };
  const made = await workspace.call("POST", "/environments", body);
  environment = (made as { id: string }).id;
  set = new HostedResource(host, "FilteringRuleSet");
});
afterEach(() => workspace.forgetFaults());
afterAll(async () => {
  await host.stop();
  await workspace.close();
});

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  expression: `sdk.version == "/${name}"`,
  action: "deny",
  ...more,
});
const [a, b, c] = [rule("a"), rule("b"), rule("c", { action: "allow" })];
const up = (rules: readonly Rule[], more: Properties = {}) =>
  set.up({ environment, rules, ...more });
const inForce = async () =>
  (await workspace.list("filtering-rules")).filter(
    (one) => one.environment === environment,
  );
const namesInForce = async () => (await inForce()).map(({ name }) => name);
const idsInForce = async () =>
  Object.fromEntries(
    (await inForce()).map(({ name, id }) => [name, id]),
  ) as Properties;
const byHand = (rules: readonly Rule[]) =>
  workspace.call("POST", "/filtering-rules/bulk", {
    environment,
    mode: "overwrite",
    rules,
  });
const failure = async (work: Promise<unknown>): Promise<HostError> => {
  try {
    await work;
  } catch (error) {
    return error as HostError;
  }
  return expect.unreachable("it was expected to fail");
};
const bulkFault = (fault: object) =>
  workspace.fault({
    match: { method: "POST", path: "/management/filtering-rules/bulk" },
    times: 1,
    ...fault,
  });

describe("a filtering rule set", () => {
  it("is in force in its order, under the environment's ID", async () => {
    await up([b, a, c]);
    expect(set.id).toBe(environment);
    expect(await namesInForce()).toEqual(["b", "a", "c"]);
    expect(set.state).toMatchObject({
      ruleIds: await idsInForce(),
      rules: {
        b: { after: "", denyWith: "Forbidden", status: "enabled" },
        a: { after: "b" },
        c: { after: "a", action: "allow" },
      },
    });
  });

  it("changes by inserts, moves, edits and removals", async () => {
    await up([a, b]);
    await up([a, c, b]);
    expect(await namesInForce()).toEqual(["a", "c", "b"]);
    await up([b, c]);
    await up([b, { ...c, status: "disabled" }]);
    expect(await inForce()).toMatchObject([
      { name: "b", status: "enabled" },
      { name: "c", status: "disabled" },
    ]);
  });

  it("is that of the default environment where none is named", async () => {
    const { environment: byDefault } = workspace.service.workspaces.us;
    await set.up({ rules: [a] });
    expect(set.id).toBe(byDefault);
    expect(set.state).not.toHaveProperty("environment");
    expect(set.state).toMatchObject({ environmentId: byDefault });
    await set.refresh();
    expect(await set.up({ rules: [a] })).toBe("same");
    // To replace it by itself would end with no rule in force.
    expect(await set.up({ rules: [a], environment: byDefault })).toBe("same");
    expect(await set.up({ rules: [b], environment: byDefault })).toBe("update");
    expect(await set.up({ rules: [b] })).toBe("same");
    const rules = await workspace.list("filtering-rules");
    const own = rules.filter((one) => one.environment === byDefault);
    expect(own.map(({ name }) => name)).toEqual(["b"]);
    await set.destroy();
  });

  it("moves to another environment", async () => {
    const body = { name: "Production" };
    const made = await workspace.call("POST", "/environments", body);
    const { id } = made as { id: string };
    await up([a]);
    expect(await up([a], { environment: id })).toBe("replace");
    expect(await inForce()).toEqual([]);
    expect(set.id).toBe(id);
    await set.destroy();
  });

  it("is taken out of force on destroy", async () => {
    await up([a, b]);
    await set.destroy();
    expect(await inForce()).toEqual([]);
  });

  it("shows on refresh what was added, edited, moved and removed by hand", async () => {
    await up([a, b]);
    await byHand([rule("x"), { ...b, expression: "true" }]);
    await set.refresh();
    expect(set.state).toMatchObject({
      rules: {
        x: { after: "" },
        b: { after: "x", expression: "true" },
      },
    });
    expect(set.state.rules).not.toHaveProperty("a");
    expect(await up([a, b])).toBe("update");
    expect(await namesInForce()).toEqual(["a", "b"]);
  });

  it("with a name twice by hand is read, and put right", async () => {
    await up([a]);
    await byHand([a, a]);
    await set.refresh();
    expect(Object.keys(set.state.rules as object)).toEqual([
      "a",
      expect.stringMatching(/^a \(tr_\w+\)$/),
    ]);
    await up([a]);
    expect(await namesInForce()).toEqual(["a"]);
  });
});

describe("the guards of a filtering rule set", () => {
  it("keep a creation from deleting rules that are not the program's", async () => {
    await byHand([a, rule("x", { expression: "true" })]);
    const error = await failure(up([a, b]));
    expect(error.message).toBe(
      `Environment ${environment} has 1 filtering rules that the program does not declare, and creating this rule set would delete them:\n` +
        `  "x": deny if true\n` +
        `Declare them, or set takeOver: true to replace them.`,
    );
    expect(error.kept).toBeUndefined();
    expect(await namesInForce()).toEqual(["a", "x"]);
    await up([a, b], { takeOver: true });
    expect(await namesInForce()).toEqual(["a", "b"]);
  });

  it("let a creation take rules of the same names", async () => {
    await byHand([a, b]);
    await up([b, a]);
    expect(await namesInForce()).toEqual(["b", "a"]);
  });

  it("keep a set from being empty by mistake", async () => {
    await expect(up([])).rejects.toThrow(
      "rules: is empty, which would allow every request; set allowEmpty: true if that is meant",
    );
    await up([], { allowEmpty: true });
    expect(await inForce()).toEqual([]);
  });

  it("stop an update over what someone changed since", async () => {
    await up([a, b]);
    await byHand([b, { ...a, action: "allow" }, rule("x")]);
    const error = await failure(up([a, b, c]));
    expect(error.message).toContain(
      `The filtering rules of environment ${environment} were changed by someone else since they were last seen:\n` +
        `  + "x": deny if sdk.version == "/x"\n` +
        `  ~ "a" action: deny -> allow\n` +
        `  ~ "a" denyWith: Forbidden -> none\n` +
        `  ~ order: now "b", "a"\n`,
    );
    expect(error.message).toContain(`set onDrift: "overwrite"`);
    expect(await namesInForce()).toEqual(["b", "a", "x"]);
    await expect(set.destroy()).rejects.toThrow("changed by someone else");

    await up([a, b, c], { onDrift: "overwrite" });
    expect(await namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("let an update through when someone made it by hand already", async () => {
    await up([a, b]);
    await byHand([a, c]);
    expect(await up([a, c])).toBe("update");
    expect(await namesInForce()).toEqual(["a", "c"]);
  });

  it("let an update through once a refresh has shown the change", async () => {
    await up([a, b]);
    await byHand([a]);
    await set.refresh();
    await up([a, b, c]);
    expect(await namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("keep rules from state that are not those that were sent", async () => {
    const data = [{ id: "tr_1", ...a, status: "disabled", expression: "x" }];
    await bulkFault({ then: { status: 200, body: { data } } });
    const error = await failure(up([a, b]));
    expect(error.message).toBe(
      `The service put other rules in force in environment ${environment} than were sent:\n` +
        `  - "b": deny if sdk.version == "/b"\n` +
        `  ~ "a" expression: sdk.version == "/a" -> x\n` +
        `  ~ "a" status: enabled -> disabled`,
    );
    expect(set.id).toBe(environment);
    expect(set.state).toMatchObject({ ruleIds: { a: "tr_1" } });
    expect(set.state.rules).toEqual({
      a: {
        action: "deny",
        after: "",
        denyWith: "Forbidden",
        expression: "x",
        status: "disabled",
      },
    });
    expect(await set.preview({ environment, rules: [a, b] })).toEqual({
      changes: true,
      replaces: [],
    });
  });
});

describe("what is wrong with rules", () => {
  it("is told in the check, by its path", async () => {
    const { failures } = await host.check("FilteringRuleSet", {
      rules: [
        a,
        rule("b", { expression: "  " }),
        rule("a", { action: "drop" }),
        { ...c, denyWith: "Forbidden" },
      ],
    });
    expect(failures.map(({ property }) => property)).toEqual([
      "rules[1].expression",
      "rules[2].action",
      "rules[3].denyWith",
    ]);
    const twice = await host.check("FilteringRuleSet", { rules: [a, b, a] });
    expect(twice.failures).toEqual([
      {
        property: "rules[2].name",
        reason: '"a" is the name of rule 1, too; names are unique in a set',
      },
    ]);
  });

  it("is told by the service, by the rule's name", async () => {
    await bulkFault({
      then: {
        status: 400,
        body: {
          error: {
            code: "validation_error",
            message: "2 violations",
            violations: [
              { property: "rules[1].expression", message: "unknown field" },
              { property: "rules[0].deny_with", message: "is odd" },
              { property: "environment", message: "is not here" },
            ],
          },
        },
      },
    });
    const error = await failure(up([c, a]));
    expect(error.message).toContain(
      [
        `Writing 2 filtering rules to ${environment} failed: 400 validation_error: 2 violations`,
        `  rules["a"].expression: unknown field`,
        `  rules["c"].denyWith: is odd`,
        `  environment: is not here`,
      ].join("\n"),
    );
  });

  it("is told where a state does not form one order", async () => {
    const content = { expression: "true", action: "allow" };
    const { failures } = await host.check("FilteringRuleSet", {
      rules: { a: { ...content, after: "b" }, b: { ...content, after: "a" } },
    });
    expect(failures).toEqual([
      {
        property: "rules",
        reason: expect.stringContaining("do not form one order") as string,
      },
    ]);
  });
});

describe("an overwrite that was cut off", () => {
  it.each([
    ["reset", { then: "reset", after: true }],
    ["answered with 500", { then: { status: 500 }, after: true }],
    ["truncated", { then: { truncate: 10 } }],
  ])("behind the work (%s) is found to be done", async (_, fault) => {
    const mark = await workspace.mark();
    await bulkFault(fault);
    expect(await up([a, b])).toBe("create");
    expect(set.state).toMatchObject({ ruleIds: await idsInForce() });
    const posts = (await workspace.requestsSince(mark)).filter(
      ({ method }) => method === "POST",
    );
    expect(posts).toHaveLength(1);
  });

  it.each([
    ["reset", { then: "reset" }],
    ["answered with 500", { then: { status: 500 } }],
  ])("before the work (%s) is told, and repeated", async (_, fault) => {
    await up([a]);
    await bulkFault(fault);
    const error = await failure(up([a, b]));
    expect(error.message).toContain(
      `Writing 2 filtering rules to ${environment} got no clear answer`,
    );
    expect(await namesInForce()).toEqual(["a"]);
    expect(await up([a, b])).toBe("update");
    expect(await namesInForce()).toEqual(["a", "b"]);
  });

  it("is repeated by itself after 429", async () => {
    await bulkFault({ then: { status: 429 }, times: 2 });
    await up([a]);
    expect(await namesInForce()).toEqual(["a"]);
  });
});
