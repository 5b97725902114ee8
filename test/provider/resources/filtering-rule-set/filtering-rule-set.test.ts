import { describe, expect, it } from "vitest";
import { UNKNOWN_TEXT as UNKNOWN } from "../../../../provider/src/definition/engine-names";
import { failure, rule, ruleSetScene } from "./rule-set-scene";

const scene = ruleSetScene();
const [a, b, c] = [rule("a"), rule("b"), rule("c", { action: "allow" })];

describe("a filtering rule set", () => {
  it("is in force in its order, and has the environment's ID", async () => {
    await scene.up([b, a, c]);
    expect(scene.set.id).toBe(scene.environment);
    expect(await scene.namesInForce()).toEqual(["b", "a", "c"]);
    expect(scene.set.state).toMatchObject({
      ruleIds: await scene.idsInForce(),
      rules: {
        b: { after: "", denyWith: "Forbidden", status: "enabled" },
        a: { after: "b" },
        c: { after: "a", action: "allow" },
      },
    });
  });

  it("refuses rules by their names in place of a list", async () => {
    const { name: _, ...byName } = a;
    expect(await failure(scene.set.up({ rules: { a: byName } }))).toSay(
      "rule-set/not-a-list",
    );
  });

  it("belongs to the default environment when the program names none", async () => {
    const { environment: byDefault } = scene.workspace.service.workspaces.us;
    await scene.set.up({ rules: [a] });
    expect(scene.set.id).toBe(byDefault);
    expect(scene.set.state).not.toHaveProperty("environment");
    expect(scene.set.state).toMatchObject({ environmentId: byDefault });
    await scene.set.refresh();
    expect(await scene.set.up({ rules: [a] })).toBe("same");
    // A replacement of the rule set by itself would end with no rule in force.
    expect(await scene.set.up({ rules: [a], environment: byDefault })).toBe(
      "same",
    );
    expect(await scene.set.up({ rules: [b], environment: byDefault })).toBe(
      "update",
    );
    expect(await scene.set.up({ rules: [b] })).toBe("same");
    const rules = await scene.workspace.list("filtering-rules");
    const own = rules.filter((one) => one.environment === byDefault);
    expect(own.map(({ name }) => name)).toEqual(["b"]);
    await scene.set.destroy();
  });

  it("shows on refresh what was added, edited, moved and removed by hand", async () => {
    await scene.up([a, b]);
    await scene.byHand([rule("x"), { ...b, expression: "true" }]);
    await scene.set.refresh();
    expect(scene.set.state).toMatchObject({
      rules: {
        x: { after: "" },
        b: { after: "x", expression: "true" },
      },
    });
    expect(scene.set.state.rules).not.toHaveProperty("a");
    expect(await scene.up([a, b])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });
});

describe("a preview of a rule set", () => {
  const preview = (rules: unknown[]) =>
    scene.set.preview({ environment: scene.environment, rules });
  const output = () =>
    scene.host.stderr.slice(
      scene.host.stderr.lastIndexOf("What an update does"),
    );

  // No engine listens here, so the host prints messages to standard error.
  it("shows the changes by the names of rules", async () => {
    await scene.up([a, c]);
    expect(await preview([a, b, c])).toMatchObject({ changes: true });
    expect(output()).toSay("rule-set/an-insert-in-a-preview", {
      environment: scene.environment,
    });
  });

  it("shows nothing when no rule changes", async () => {
    await scene.up([a]);
    const before = scene.host.stderr;
    await preview([a]);
    const program = { environment: scene.environment, rules: [a] };
    await scene.set.preview({ ...program, onDrift: "overwrite" });
    await scene.set.preview({ ...program, environment: "ae_other" });
    expect(scene.host.stderr).toBe(before);
  });

  it("shows unknown values as unknown", async () => {
    await scene.up([a]);
    await preview([a, { ...b, expression: UNKNOWN }]);
    expect(output()).toContain("+   2 b deny  added after a\n");
    expect(output()).toContain("In total: cannot tell");
    await preview([{ ...a, action: UNKNOWN }]);
    expect(output()).toContain("action deny -> (known after the update)");
    expect(output()).not.toContain(UNKNOWN);
  });

  it("finds a change even when it cannot describe the change", async () => {
    await scene.up([a]);
    const before = scene.host.stderr;
    expect(await preview([{ ...a, name: UNKNOWN }])).toMatchObject({
      changes: true,
    });
    scene.set.state = {
      ...scene.set.state,
      rules: { a: { ...a, after: "nobody" } },
    };
    expect(await preview([b])).toMatchObject({ changes: true });
    expect(scene.host.stderr).toBe(before);
  });
});

describe("a mistake in rules", () => {
  it("is reported by the check with its path", async () => {
    const { failures } = await scene.host.check("FilteringRuleSet", {
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
    const typo = rule("b", { expression: "http.user_agnt.is_crawler_bot" });
    const unknown = await scene.host.check("FilteringRuleSet", {
      rules: [a, typo, rule("c", { expression: "sdk.version > 3" })],
    });
    expect(unknown.failures).toEqual([
      {
        property: "rules[1].expression",
        reason:
          "http.user_agnt is not known; http has user_agent, request\n" +
          "1 | http.user_agnt.is_crawler_bot\n" +
          "  |      ^^^^^^^^^",
      },
      expect.objectContaining({ property: "rules[2].expression" }),
    ]);
    const twice = await scene.host.check("FilteringRuleSet", {
      rules: [a, b, a],
    });
    expect(twice.failures).toEqual([
      {
        property: "rules[2].name",
        reason: '"a" is the name of rules[0], too; names are unique in a set',
      },
    ]);
  });

  it("is reported by the service, and devid adds the rule's name", async () => {
    await scene.bulkFault({
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
    const error = await failure(scene.up([c, a]));
    expect(error.message).toContain(
      [
        `Writing 2 filtering rules to ${scene.environment} failed: 400 validation_error: 2 violations`,
        `  rules["a"].expression: unknown field`,
        `  rules["c"].denyWith: is odd`,
        `  environment: is not here`,
      ].join("\n"),
    );
  });

  it("is reported when a state does not form one order", async () => {
    const content = { expression: "true", action: "allow" };
    const { failures } = await scene.host.check("FilteringRuleSet", {
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
  ])("that the service carried out (%s) counts as done", async (_, fault) => {
    const mark = await scene.workspace.mark();
    await scene.bulkFault(fault);
    expect(await scene.up([a, b])).toBe("create");
    expect(scene.set.state).toMatchObject({
      ruleIds: await scene.idsInForce(),
    });
    const posts = (await scene.workspace.requestsSince(mark)).filter(
      ({ method }) => method === "POST",
    );
    expect(posts).toHaveLength(1);
  });

  it.each([
    ["reset", { then: "reset" }],
    ["answered with 500", { then: { status: 500 } }],
  ])(
    "that the service did not carry out (%s) is reported, and can be repeated",
    async (_, fault) => {
      await scene.up([a]);
      await scene.bulkFault(fault);
      const error = await failure(scene.up([a, b]));
      expect(error.message).toContain(
        `Writing 2 filtering rules to ${scene.environment} got no clear answer`,
      );
      expect(await scene.namesInForce()).toEqual(["a"]);
      expect(await scene.up([a, b])).toBe("update");
      expect(await scene.namesInForce()).toEqual(["a", "b"]);
    },
  );
});
