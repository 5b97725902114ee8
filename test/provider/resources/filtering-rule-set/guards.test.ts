import { describe, expect, it } from "vitest";
import { UNKNOWN_TEXT as UNKNOWN } from "../../../../provider/src/adapters/dynamic/wire";
import { failure, rule, rulesOf, ruleSetScene } from "./rule-set-scene";

const scene = ruleSetScene();
const [a, b, c] = [rule("a"), rule("b"), rule("c", { action: "allow" })];

const waysOut =
  `- Was the resource renamed, or moved in the program? Give it an alias: aliases: [{ name: "the old name" }], or aliases: [{ parent: pulumi.rootStackResource }] after a move into a component.\n` +
  `- Does another stack or resource declare them? Then declare them in one place only.\n` +
  `- Otherwise set takeOver: true, which replaces them.`;

describe("a creation over rules that it did not make", () => {
  it("fails in the check and names them, until takeOver is set", async () => {
    await scene.byHand([
      a,
      rule("x", { expression: "true" }),
      rule("y", { action: "allow" }),
    ]);
    const reason =
      `rules: The filtering rules of environment ${scene.environment} are not created, and those in force stay: it has 3 rules that this resource did not make, of which the program does not have 2:\n` +
      `-     x deny  removed\n` +
      `      true\n` +
      `-     y allow removed\n` +
      `      sdk.version == '/y'\n` +
      waysOut;
    const error = await failure(scene.up([a, b]));
    expect(error.message).toBe(reason);
    expect(error.kept).toBeUndefined();
    expect(await scene.namesInForce()).toEqual(["a", "x", "y"]);
    await scene.up([a, b], { takeOver: true });
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });

  it("fails where they are equal, too: that is no ownership", async () => {
    await scene.byHand([a]);
    const ids = (await scene.inForce()).map(({ id }) => id);
    const error = await failure(scene.up([a]));
    expect(error.message).toBe(
      `rules: The filtering rules of environment ${scene.environment} are not created, and those in force stay: it has 1 rule already, which this resource did not make.\n${waysOut}`,
    );
    expect((await scene.inForce()).map(({ id }) => id)).toEqual(ids);
  });

  it("fails in a preview, without a write", async () => {
    await scene.byHand([a, b]);
    const { environment, set } = scene;
    const calls = await scene.callsOf(() =>
      failure(set.previewCreate({ environment, rules: [a] })),
    );
    expect(calls).toEqual(["GET /filtering-rules"]);
  });

  it("is not looked for while the environment is unknown, and fails in the creation then", async () => {
    await scene.byHand([a]);
    const { environment, set } = scene;
    const calls = await scene.callsOf(() =>
      set.previewCreate({ environment: UNKNOWN, rules: [b] }),
    );
    expect(calls).toEqual([]);
    const { inputs } = await scene.host.check(
      "FilteringRuleSet",
      { environment, rules: [b] },
      {},
    );
    await expect(scene.host.create("FilteringRuleSet", inputs)).rejects.toThrow(
      `The filtering rules of environment ${environment} are not created, and those in force stay: it has 1 rule`,
    );
    expect(await scene.namesInForce()).toEqual(["a"]);
  });

  it("fails with as many of very many names as an error can hold", async () => {
    const many = Array.from({ length: 300 }, (_, i) => rule(`rule ${i}`));
    await scene.byHand(many);
    const { message } = await failure(scene.up([a]));
    expect(message).toContain("it has 300 rules that this resource");
    expect(message).toContain("\n-     rule 0   deny  removed\n");
    expect(message).toMatch(/\n {6}and \d+ more; see devid rules diff\n/);
    expect(message.length).toBeLessThan(10_000);
  });
});

describe("an update over rules that someone changed", () => {
  const changed = [b, { ...a, action: "allow" }, rule("x")];
  const theirs = [
    "~   2 a allow action deny -> allow",
    ">   1 b deny  moved to the front",
    "+   3 x deny  added after a",
    "      sdk.version == '/x'",
  ].join("\n");

  it("fails, shows the change, and how to keep or drop it", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    const error = await failure(scene.up([a, b, c]));
    expect(error.message).toBe(
      `The filtering rules of environment ${scene.environment} were not overwritten: they were changed by someone else since they were last seen:\n` +
        `${theirs}\n` +
        `To keep this, run pulumi refresh and put it into the program: the next preview shows what is missing there. To drop it, set onDrift: "overwrite".`,
    );
    expect(await scene.namesInForce()).toEqual(["b", "a", "x"]);
  });

  it("drops the change where onDrift says so", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    await scene.up([a, b, c], { onDrift: "overwrite" });
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("keeps the change in the way that the error tells", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    await scene.set.refresh();
    // The IDs of their rules are not its own: it writes them once.
    expect(await scene.up(changed)).toBe("update");
    expect(await scene.up(changed)).toBe("same");
    await scene.up([...changed, c]);
    expect(await scene.namesInForce()).toEqual(["b", "a", "x", "c"]);
  });

  it("goes on when they made the same change to the same rules", async () => {
    await scene.up([a, b]);
    const disabled = { ...b, status: "disabled" };
    await scene.edit("b", { status: "disabled" });
    expect(await scene.up([a, disabled])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });

  it("goes on when they spelt an expression in another way", async () => {
    await scene.up([a, b]);
    await scene.edit("b", { expression: "sdk.version=='/b'" });
    await scene.up([a, b, c]);
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("fails when they wrote the same rules anew, until a refresh has seen it", async () => {
    await scene.up([a, b]);
    await scene.byHand([a, b]);
    const theirs = await scene.idsInForce();
    const error = await failure(scene.up([a, b, c]));
    expect(error.message).toBe(
      `The filtering rules of environment ${scene.environment} were not overwritten: they were changed by someone else since they were last seen:\n` +
        `written anew, with other IDs: a, b. Perhaps another stack declares them, too.\n` +
        `To keep this, run pulumi refresh and put it into the program: the next preview shows what is missing there. To drop it, set onDrift: "overwrite".`,
    );
    expect(await scene.idsInForce()).toEqual(theirs);
    await scene.set.refresh();
    expect(await scene.up([a, b, c])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("drops what they wrote anew where onDrift says so", async () => {
    await scene.up([a, b], { onDrift: "overwrite" });
    await scene.byHand([a, b]);
    await scene.up([a], { onDrift: "overwrite" });
    expect(await scene.namesInForce()).toEqual(["a"]);
  });
});

describe("a destruction of rules that someone changed", () => {
  it("fails and shows the change, until onDrift says that it may be dropped", async () => {
    await scene.up([a, b]);
    await scene.edit("b", { status: "disabled" });
    const error = await failure(scene.set.destroy());
    expect(error.message).toBe(
      `The filtering rules of environment ${scene.environment} were not destroyed: they were changed by someone else since they were last seen:\n` +
        `~   2 b deny  disabled\n` +
        `To keep this, take the rule set out of the stack alone: pulumi state delete. To delete these rules, too, set onDrift: "overwrite" and run pulumi up before you destroy.`,
    );
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
    const disabled = [a, { ...b, status: "disabled" }];
    expect(await scene.up(disabled, { onDrift: "overwrite" })).toBe("update");
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("is done where a refresh has seen the change", async () => {
    await scene.up([a, b]);
    await scene.edit("b", { status: "disabled" });
    await scene.set.refresh();
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("is done where onDrift was overwrite", async () => {
    await scene.up([a, b], { onDrift: "overwrite" });
    await scene.edit("a", { expression: "true" });
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("is done where somebody has deleted some or moved them: those left are its own", async () => {
    await scene.up([a, b, c]);
    await scene.remove("a");
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("deletes any part of the rules", async () => {
    await scene.up(rulesOf("a", "b", "c", "d", "e"));
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });
});

describe("an update that deletes many rules", () => {
  it("fails with the numbers and names, until maxDeletedPercent allows it", async () => {
    await scene.up(rulesOf("a", "b", "c", "d"));
    const error = await failure(scene.up(rulesOf("b", "x", "y", "z")));
    expect(error.message).toBe(
      `The filtering rules of environment ${scene.environment} were not overwritten: that would delete 3 of 4 rules (75 %), and maxDeletedPercent is 50:\n` +
        `-     a deny  removed\n` +
        `-     c deny  removed\n` +
        `-     d deny  removed\n` +
        `If that is meant, set maxDeletedPercent: 75. A rule with a new name counts as a deleted one and an added one.`,
    );
    expect(await scene.namesInForce()).toEqual(["a", "b", "c", "d"]);
    await scene.up(rulesOf("b"), { maxDeletedPercent: 75 });
    expect(await scene.namesInForce()).toEqual(["b"]);
  });

  it("may delete half, and any part of three", async () => {
    await scene.up(rulesOf("a", "b", "c", "d"));
    await scene.up(rulesOf("a", "b"));
    await scene.up(rulesOf("a", "b", "c"));
    await scene.up(rulesOf("z"));
    expect(await scene.namesInForce()).toEqual(["z"]);
  });

  it("counts what is in force, where a change of others is dropped", async () => {
    await scene.up(rulesOf("a", "b"));
    await scene.byHand(rulesOf("a", "w", "x", "y", "z"));
    const onDrift = "overwrite";
    const error = await failure(scene.up(rulesOf("a", "c"), { onDrift }));
    expect(error.message).toContain("delete 4 of 5 rules (80 %)");
    await scene.up(rulesOf("a", "c"), { onDrift, maxDeletedPercent: 80 });
    expect(await scene.namesInForce()).toEqual(["a", "c"]);
  });

  it("may delete all where allowEmpty says that it is meant", async () => {
    await scene.up(rulesOf("a", "b", "c", "d"));
    await expect(scene.up([])).rejects.toThrow(
      "rules: is empty, which would allow every request; set allowEmpty: true if that is meant",
    );
    await scene.up([], { allowEmpty: true });
    expect(await scene.namesInForce()).toEqual([]);
  });

  it.each([-1, 101])("takes no percentage of %d", async (maxDeletedPercent) => {
    await expect(scene.up([a], { maxDeletedPercent })).rejects.toThrow(
      "maxDeletedPercent: ",
    );
  });
});
