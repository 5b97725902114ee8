import { describe, expect, it } from "vitest";
import {
  bare,
  Secret,
  UNKNOWN,
  type Properties,
} from "../../../provider/src/definition/value";
import type { Kind } from "../../helpers/provider-host";
import { localForTests } from "../../helpers/local-for-tests";
import { commandOn } from "../lifecycle-of";

const workspace = localForTests();

const rule = (name: string, expression = "sdk.platform.is_ios") => ({
  name,
  expression,
  action: "deny",
});

const make = (kind: Kind, news: Properties) =>
  commandOn(workspace).make(kind, news);

describe("ignoreChanges", () => {
  const program = { rules: [rule("a"), rule("b")] };
  const changed = { rules: [rule("a", "true"), rule("b", "true")] };
  const asked = async (
    ignoreChanges: string[],
    given: Properties = changed,
  ) => {
    const { id, state, inputs: olds } = await make("FilteringRuleSet", program);
    const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
    const { inputs: news } = await lifecycle.check({ news: given, olds });
    return {
      diff: () => lifecycle.diff({ id, state, news, ignoreChanges }),
      update: () =>
        lifecycle.update({ id, state, inputs: news, ignoreChanges }),
    };
  };
  const expressions = async () =>
    (await workspace.list("filtering-rules")).map((one) => one.expression);

  it("of a rule by its position is neither shown nor sent", async () => {
    const { diff, update } = await asked(["rules[0].expression"]);
    expect(diff().properties.map(({ path }) => path)).toEqual([
      "rules.b.expression",
    ]);
    await update();
    expect(await expressions()).toEqual(["sdk.platform.is_ios", "true"]);
  });

  it("of a position that another rule now has is refused by the preview and the update, with the path by the rule's name", async () => {
    const { diff, update } = await asked(["rules[0].expression"], {
      rules: [rule("c", "true"), rule("a"), rule("b")],
    });
    expect(diff).toSay("options/position-of-a-rule");
    await expect(update()).rejects.toSay("options/position-of-a-rule");
    expect(await expressions()).toEqual([
      "sdk.platform.is_ios",
      "sdk.platform.is_ios",
    ]);
  });
});

it("a change of rules is also reported by position, so that replaceOnChanges can name it", async () => {
  const made = await make("FilteringRuleSet", {
    rules: [rule("a"), rule("b"), rule("c")],
  });
  const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
  const { inputs: news } = await lifecycle.check({
    news: { rules: [rule("a"), rule("b", "true")] },
    olds: made.inputs,
  });
  const { places } = lifecycle.diff({ id: made.id, state: made.state, news });
  expect(places).toContain("rules[1].expression");
  expect(places).toContain("rules[2].name");
  expect(places?.join()).not.toContain("rules[0]");
});

it("the names of secret rules are secret everywhere in the state", async () => {
  const news = { rules: new Secret([rule("canary")]) };
  const { state } = await make("FilteringRuleSet", news);
  const plain = Object.entries(state).filter(
    ([, value]) => !(value instanceof Secret),
  );
  expect(JSON.stringify(plain)).not.toContain("canary");
  expect(bare(state.ruleIds)).toHaveProperty("canary");
});

it("the program that an import prints for an empty rule set passes the check", async () => {
  const { environment } = workspace.service.workspaces.us;
  const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
  const read = await lifecycle.read({ id: environment, owns: true });
  const program = read?.program ?? expect.fail("it is there");
  expect(program).toMatchObject({ rules: [], allowEmpty: true });
  const olds = read?.inputs ?? {};
  const { inputs, failures } = await lifecycle.check({ news: program, olds });
  expect(failures).toEqual([]);
  const state = read?.state ?? {};
  expect(lifecycle.diff({ id: environment, state, news: inputs }).changes).toBe(
    false,
  );
});

it("a key of an environment that --target leaves out names the missing target", async () => {
  const lifecycle = commandOn(workspace).lifecycle("ApiKey");
  const key = { name: "Till", type: "public" };
  const { failures } = await lifecycle.check({
    news: { ...key, environment: "" },
  });
  expect(failures).toEqual([
    {
      property: "environment",
      reason: expect.toSay("ownership/environment-left-out"),
    },
  ]);
  const later = { ...key, environment: UNKNOWN };
  expect((await lifecycle.check({ news: later })).failures).toEqual([]);
});
