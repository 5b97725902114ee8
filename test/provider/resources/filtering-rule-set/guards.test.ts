import { rulesDigest, type Rule } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { UNKNOWN_TEXT as UNKNOWN } from "../../../../provider/src/definition/engine-names";
import {
  failure,
  rule,
  rulesOf,
  ruleSetScene,
  type DeclaredRule,
} from "./rule-set-scene";
import { cellsOf } from "../../../helpers/cells-of";
import type { Properties } from "../../../simulation/engine/property-value";
import { objectionToDeleting } from "../../../../provider/src/resources/filtering-rule-set/guards";

const scene = ruleSetScene();
const [a, b, c] = [rule("a"), rule("b"), rule("c", { action: "allow" })];

/** Rules as the service lists them, converted to the form that a digest is made from. */
const toRules = (listed: readonly Record<string, unknown>[]) =>
  listed.map(
    ({ deny_with, ...one }) => ({ ...one, denyWith: deny_with }) as Rule,
  );
const NO_RULES_LIKE_THESE = `sha256:${"0".repeat(64)}`;

describe("a creation over rules that it did not create", () => {
  it("fails in the check and names them, until takeOver is set", async () => {
    await scene.byHand([
      a,
      rule("x", { expression: "true" }),
      rule("y", { action: "allow" }),
    ]);
    const error = await failure(scene.up([a, b]));
    expect(error).toSay("rule-set/creation-over-rules-of-somebody-else");
    expect(error.kept).toBeUndefined();
    expect(await scene.namesInForce()).toEqual(["a", "x", "y"]);
    await scene.up([a, b], { takeOver: true });
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });

  it("also fails for equal rules, because equal rules are not owned rules", async () => {
    await scene.byHand([a]);
    const ids = (await scene.inForce()).map(({ id }) => id);
    const error = await failure(scene.up([a]));
    expect(error).toSay("rule-set/creation-over-equal-rules-of-somebody-else");
    expect((await scene.inForce()).map(({ id }) => id)).toEqual(ids);
  });

  it("fails in a preview, and writes nothing", async () => {
    await scene.byHand([a, b]);
    const { environment, set } = scene;
    const calls = await scene.callsOf(() =>
      failure(set.previewCreate({ environment, rules: [a] })),
    );
    expect(calls).toEqual(["GET /filtering-rules"]);
  });

  it("is refused in a replacement with the way to avoid it, which a new resource does not get", async () => {
    await scene.up([a, b]);
    const { environment, host, set } = scene;
    await host.stop();
    const program = { environment, rules: [a, b] };
    const refusal = async () =>
      (await failure(set.previewCreate(program))).message;
    // A taint: the engine checks with the last inputs, compares, and checks without them.
    await set.preview(program);
    expect(await refusal()).toContain("pulumi state untaint");
    await host.stop();
    expect(await refusal()).not.toContain("pulumi state untaint");
  });

  it("is not checked while the environment is unknown, and then fails in the creation", async () => {
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
      `The filtering rules of environment ${environment} are not created, and the rules in force stay: the environment already has 1 rule`,
    );
    expect(await scene.namesInForce()).toEqual(["a"]);
  });
});

describe("an update over rules that someone changed", () => {
  const changed = [b, { ...a, action: "allow" }, rule("x")];

  it("fails, shows the change, and how to keep or drop it", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    const error = await failure(scene.up([a, b, c]));
    expect(error).toSay("rule-set/update-over-rules-that-somebody-changed");
    expect(await scene.namesInForce()).toEqual(["b", "a", "x"]);
  });

  it("drops the change when onDrift is overwrite", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    await scene.up([a, b, c], { onDrift: "overwrite" });
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("keeps the change after the steps that the error names", async () => {
    await scene.up([a, b]);
    await scene.byHand(changed);
    await scene.set.refresh();
    // The IDs of somebody else's rules are not its own, so it writes the rules once.
    expect(await scene.up(changed)).toBe("update");
    expect(await scene.up(changed)).toBe("same");
    await scene.up([...changed, c]);
    expect(await scene.namesInForce()).toEqual(["b", "a", "x", "c"]);
  });

  it("succeeds when somebody made the same change to the same rules", async () => {
    await scene.up([a, b]);
    const disabled = { ...b, status: "disabled" };
    await scene.edit("b", { status: "disabled" });
    expect(await scene.up([a, disabled])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });

  it("succeeds when somebody only formatted an expression in another way", async () => {
    await scene.up([a, b]);
    await scene.edit("b", { expression: "sdk.version=='/b'" });
    await scene.up([a, b, c]);
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("fails when somebody rewrote the same rules, until a refresh has seen them", async () => {
    await scene.up([a, b]);
    await scene.byHand([a, b]);
    const theirs = await scene.idsInForce();
    const error = await failure(scene.up([a, b, c]));
    expect(error).toSay("rule-set/update-over-rules-that-somebody-wrote-again");
    expect(await scene.idsInForce()).toEqual(theirs);
    await scene.set.refresh();
    expect(await scene.up([a, b, c])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });
});

describe("a write that was reviewed against a digest of rules", () => {
  const seen = async () => rulesDigest(toRules(await scene.inForce()));

  it("succeeds over the reviewed rules, and the digest alone is no change", async () => {
    await scene.up([a, b]);
    const expectedInForce = await seen();
    const calls = await scene.callsOf(async () => {
      expect(await scene.up([a, b], { expectedInForce })).toBe("same");
      await scene.set.refresh();
      expect(await scene.up([a, b])).toBe("same");
    });
    expect(calls).not.toContain("POST /filtering-rules/bulk");
    expect(await scene.up([a, b, c], { expectedInForce })).toBe("update");
    expect(scene.set.state).toMatchObject({ expectedInForce });
    expect(await scene.namesInForce()).toEqual(["a", "b", "c"]);
  });

  it("keeps its digest in the state through a refresh, and blocks no destroy", async () => {
    const expectedInForce = NO_RULES_LIKE_THESE;
    await scene.up([a, b], { expectedInForce });
    await scene.set.refresh();
    expect(scene.set.state).toMatchObject({ expectedInForce });
    expect(scene.set.inputs).toMatchObject({ expectedInForce });
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("is refused over other rules, and shows what changed since the review if the state has the reviewed rules", async () => {
    await scene.up([a, b]);
    const expectedInForce = await seen();
    await scene.byHand([a, b, rule("x")]);
    const onDrift = "overwrite";
    const calls = await scene.callsOf(async () => {
      const error = await failure(
        scene.up([a, c], { expectedInForce, onDrift }),
      );
      expect(error).toSay(
        "rule-set/write-over-other-rules-than-the-reviewed-ones",
      );
      for (const digest of [expectedInForce, await seen()])
        expect(error.message).toContain(`${digest.slice(0, 19)}...`);
    });
    expect(calls).not.toContain("POST /filtering-rules/bulk");
    expect(await scene.namesInForce()).toEqual(["a", "b", "x"]);
  });

  it("is refused over other rules also after a refresh, and names the rules that it did not write", async () => {
    await scene.up([a, b]);
    const expectedInForce = await seen();
    await scene.add(rule("x"));
    await scene.set.refresh();
    const error = await failure(scene.up([a], { expectedInForce }));
    expect(error).toSay(
      "rule-set/write-over-other-rules-than-the-reviewed-ones-after-a-refresh",
    );
    expect(await scene.namesInForce()).toEqual(["a", "b", "x"]);
  });

  it("succeeds over rules that the state has not seen, because the digest shows that the reviewer has", async () => {
    await scene.up([a, b]);
    const hotFix = rule("x");
    await scene.byHand([a, b, hotFix]);
    expect((await failure(scene.up([a, b, hotFix, c]))).message).toContain(
      "somebody else has changed them since devid last read them",
    );
    const taken = await seen();
    await scene.up([a, b, hotFix, c], { expectedInForce: taken });
    expect(await scene.namesInForce()).toEqual(["a", "b", "x", "c"]);

    await scene.byHand([b, a, c]);
    const overwritten = await seen();
    await scene.up([a, c], { expectedInForce: overwritten });
    expect(await scene.namesInForce()).toEqual(["a", "c"]);
  });

  it("succeeds when the declared rules are already in force", async () => {
    await scene.up([a, b]);
    const expectedInForce = await seen();
    await scene.byHand([a, c]);
    expect(await scene.up([a, c], { expectedInForce })).toBe("update");
    expect(await scene.up([a, c], { expectedInForce })).toBe("same");
  });

  it("is refused with takeOver over other rules, and succeeds over the reviewed rules", async () => {
    await scene.byHand([a, b]);
    const expectedInForce = await seen();
    await scene.byHand([a, b, rule("x")]);
    const takeOver = true;
    const error = await failure(scene.up([a], { expectedInForce, takeOver }));
    expect(error.kept).toBeUndefined();
    expect(error.message).toContain(
      `Not written by this resource:\n+   1 a deny  added at the front\n`,
    );
    expect(error.message).toContain("+   3 x deny  added after b\n");
    expect(await scene.namesInForce()).toEqual(["a", "b", "x"]);
    await scene.remove("x");
    expect(await scene.up([a], { expectedInForce, takeOver })).toBe("create");
  });

  it("is refused when the service does not list rules", async () => {
    await scene.up([a]);
    const expectedInForce = await seen();
    await scene.refuseList(405);
    const error = await failure(scene.up([b], { expectedInForce }));
    expect(error).toSay(
      "rule-set/reviewed-write-where-the-service-lists-no-rules",
    );
    await scene.workspace.forgetFaults();
    expect(await scene.namesInForce()).toEqual(["a"]);
  });

  it.each(["", "sha256:", "latest", `SHA256:${"0".repeat(64)}`])(
    "refuses the digest %j, and says how to print one",
    async (expectedInForce) => {
      const error = await failure(scene.up([a], { expectedInForce }));
      expect(error).toSay("rule-set/digest-that-is-none");
    },
  );
});

describe("a destruction of rules that someone changed", () => {
  it("fails and shows the change, until onDrift is overwrite", async () => {
    await scene.up([a, b]);
    await scene.edit("b", { status: "disabled" });
    const error = await failure(scene.set.destroy());
    expect(error).toSay("rule-set/destruction-of-rules-that-somebody-changed");
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
    const disabled = [a, { ...b, status: "disabled" }];
    expect(await scene.up(disabled, { onDrift: "overwrite" })).toBe("update");
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });

  it.each<[string, DeclaredRule[], Properties, () => Promise<unknown>]>([
    [
      "a refresh has seen the change",
      [a, b],
      {},
      async () => {
        await scene.edit("b", { status: "disabled" });
        await scene.set.refresh();
      },
    ],
    [
      "onDrift was overwrite",
      [a, b],
      { onDrift: "overwrite" },
      () => scene.edit("a", { expression: "true" }),
    ],
    [
      "somebody only deleted or moved rules, because the remaining rules are its own",
      [a, b, c],
      {},
      () => scene.remove("a"),
    ],
    [
      "it deletes many rules",
      rulesOf("a", "b", "c", "d", "e"),
      {},
      () => Promise.resolve(),
    ],
  ])("succeeds when %s", async (_, rules, more, change) => {
    await scene.up(rules, more);
    await change();
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });
});

describe("an update that deletes many rules", () => {
  const [most, least] = [rulesOf("a", "b", "c", "d"), rulesOf("b", "x")];
  const refused = "rule-set/update-that-deletes-many-rules";
  const preview = (rules: readonly object[], more: object = {}) =>
    scene.set.preview({ environment: scene.environment, rules, ...more });

  it("fails in the preview with the numbers and names, without a request, until maxDeletedPercent allows it", async () => {
    await scene.up(most);
    const calls = await scene.callsOf(async () => {
      expect(await failure(preview(least))).toSay(refused);
      expect(await failure(scene.up(least))).toSay(refused);
    });
    expect(calls).toEqual([]);
    expect(await scene.namesInForce()).toEqual(["a", "b", "c", "d"]);
    const maxDeletedPercent = 75;
    expect(await preview(least, { maxDeletedPercent })).toMatchObject({
      changes: true,
    });
    await scene.up(least, { maxDeletedPercent });
    expect(await scene.namesInForce()).toEqual(["b", "x"]);
  });

  it("succeeds after a refresh when somebody has already deleted them", async () => {
    await scene.up(most);
    await scene.byHand(rulesOf("b"));
    expect(await failure(scene.up(least))).toSay(refused);
    await scene.set.refresh();
    expect(await scene.up(least)).toBe("update");
    expect(await scene.namesInForce()).toEqual(["b", "x"]);
  });

  it("is not refused for unknown names, or when the set moves to another environment", async () => {
    await scene.up(most);
    expect(await preview([{ ...rule("b"), name: UNKNOWN }])).toMatchObject({
      changes: true,
    });
    const named = [{ ...rule("b"), expression: UNKNOWN }];
    expect((await failure(preview(named))).message).toContain("delete 3 of 4");
    expect(await preview(least, { maxDeletedPercent: UNKNOWN })).toMatchObject({
      changes: true,
    });
    const environment = await scene.newEnvironment("Production");
    expect(await preview(least, { environment })).toMatchObject({
      replaces: ["environment"],
    });
    expect(await scene.up(least, { environment })).toBe("replace");
    await scene.set.destroy();
  });

  it("fails in the update, by the rules in force, when it drops somebody else's change", async () => {
    await scene.up(rulesOf("a", "b"));
    await scene.byHand(rulesOf("a", "w", "x", "y", "z"));
    const onDrift = "overwrite";
    const error = await failure(scene.up(rulesOf("a", "c"), { onDrift }));
    expect(error).toSay("rule-set/update-that-deletes-many-rules-in-force");
    await scene.up(rulesOf("a", "c"), { onDrift, maxDeletedPercent: 80 });
    expect(await scene.namesInForce()).toEqual(["a", "c"]);
  });

  it("may delete all rules with allowEmpty", async () => {
    await scene.up(rulesOf("a", "b", "c", "d"));
    await expect(scene.up([])).rejects.toSay("rule-set/empty");
    await scene.up([], { allowEmpty: true });
    expect(await scene.namesInForce()).toEqual([]);
  });
});

const rules = (names: string) =>
  rulesOf(...names).map((one): Rule => ({
    ...one,
    action: "deny",
    status: "enabled",
  }));
const percent = (before: string, after: string, most: number) =>
  /\((\d+) %\)/.exec(
    objectionToDeleting({ rules: rules(before) }, rules(after), most) ?? "",
  )?.[1];

/** What is deleted, the rules before and after, how many percent may be, and how many are too many. */
const DELETIONS = `
none of four | abcd | dcba | 0
one of four | abcd | abc | 0 | 25
exactly as many as allowed | abcd | ab | 50
14 of 25 as allowed | abcdefghijklmnopqrstuvwxy | abcdefghijk | 56
one more than allowed | abcd | a | 50 | 75
a renamed rule | abcd | abcx | 24 | 25
a third of six | abcdef | abcd | 33 | 34
a third of six, allowed as the message says | abcdef | abcd | 34
all of three | abc | x | 0
all rules when an empty set is allowed | abcd | | 0
all rules that were only renamed | abcd | wxyz | 99 | 100
all rules when 100 % is allowed | abcd | wxyz | 100
`;

it.each(cellsOf(DELETIONS))("the limit on deleted rules: %s", (...row) => {
  const [, before = "", after = "", most, found] = row;
  expect(percent(before, after, Number(most))).toBe(found);
});
