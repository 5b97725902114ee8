import { describe, expect, it } from "vitest";
import { SECRET_MARK } from "../../../../provider/src/definition/engine-names";
import { lifecycleOf } from "../../lifecycle-of";
import { failure, rule, ruleSetScene, rulesOf } from "./rule-set-scene";

const scene = ruleSetScene();

/** Names that every object of JavaScript has without being given them. */
const INHERITED = ["constructor", "toString", "hasOwnProperty", "valueOf"];

describe.each(INHERITED)("a rule that is called %s", (name) => {
  it("is written, read, moved and deleted as any other", async () => {
    await scene.up(rulesOf("a", "b"));
    for (const names of [
      ["a", name, "b"],
      [name, "b", "a"],
      [name, "b"],
      ["b", "a"],
    ]) {
      expect(await scene.up(rulesOf(...names))).toBe("update");
      expect(await scene.namesInForce()).toEqual(names);
      expect(await scene.set.refresh()).toBe(true);
      expect(await scene.up(rulesOf(...names))).toBe("same");
    }
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("is new, and neither changed nor rewritten by somebody", async () => {
    const lifecycle = lifecycleOf("FilteringRuleSet");
    const checked = async (...names: string[]) =>
      (await lifecycle.check({ news: { rules: rulesOf(...names) }, olds: {} }))
        .inputs;
    const diff = async (from: string[], to: string[], ignored: string[] = []) =>
      lifecycle
        .diff({
          id: "ae_1",
          state: await checked(...from),
          news: await checked(...to),
          ignoreChanges: ignored,
        })
        .properties.map(({ kind, path }) => `${kind} ${path}`);
    expect(await diff(["a"], ["a", name])).toEqual([`add rules.${name}`]);
    expect(await diff(["a", name], ["a"])).toEqual([`delete rules.${name}`]);
    expect(await diff(["a", "b"], ["a", name, "b"])).toEqual([
      "update rules.b.after",
      `add rules.${name}`,
    ]);
    expect(await diff(["a"], ["a", name], [`rules.${name}.action`])).toEqual([
      `add rules.${name}`,
    ]);
  });
});

describe.each(["__proto__", SECRET_MARK[0]])("the name %s", (name) => {
  it("is refused at the check, because Pulumi drops it from the state", async () => {
    const { inputs, failures } = await lifecycleOf("FilteringRuleSet").check({
      news: { rules: [rule("a"), rule(name)] },
      olds: {},
    });
    // An object with such a member would be no answer that the engine can read.
    expect(inputs.rules).toBeInstanceOf(Array);
    expect(failures).toEqual([
      {
        property: "rules[1].name",
        reason: `is ${name}, a name that Pulumi cannot keep in the state; give the rule another name`,
      },
    ]);
    const error = await failure(scene.up([rule(name)]));
    expect(error.message).toContain("give the rule another name");
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("of a rule that somebody wrote by hand has the rule's ID in the state", async () => {
    await scene.up([rule("a")]);
    await scene.add(rule(name));
    const { [name]: id = "" } = await scene.idsInForce();
    expect(await scene.set.refresh()).toBe(true);
    expect(new Set(Object.keys(scene.set.state.rules as object))).toEqual(
      new Set(["a", `${name} (${id})`]),
    );
  });
});
