import { describe, expect, it, onTestFinished } from "vitest";
import { HostedResource } from "../../../helpers/hosted-resource";
import { failure, rule, rulesOf, ruleSetScene } from "./rule-set-scene";

const scene = ruleSetScene();
const [a, b] = [rule("a"), rule("b")];
const LIST = "GET /filtering-rules";
const BULK = "POST /filtering-rules/bulk";

describe("an answer with rules that were not sent", () => {
  const answered = (...rules: (typeof a)[]) => ({
    status: 200,
    body: {
      data: rules.map((one, i) => ({
        id: `tr_${i}`,
        status: "enabled",
        ...one,
      })),
    },
  });

  it.each<[string, ReturnType<typeof answered>, string]>([
    ["another order", answered(b, a), ">   1 b deny  moved to the front"],
    [
      "no rules",
      answered(),
      `-     a deny  removed\n      sdk.version == '/a'\n` +
        `-     b deny  removed\n      sdk.version == '/b'`,
    ],
  ])("fails: %s", async (_, then, differences) => {
    await scene.bulkFault({ then, after: true });
    const error = await failure(scene.up([a, b]));
    expect(error.message).toSay("rule-set/other-rules-answered", {
      environment: scene.environment,
      differences,
    });
    expect(scene.set.id).toBe(scene.environment);
    expect(Object.keys(scene.set.state.rules as object)).toEqual(["a", "b"]);
    expect(await scene.up([a, b])).toBe("update");
  });

  it("leaves the old rules in the state when the service wrote nothing", async () => {
    await scene.up([a]);
    await scene.bulkFault({ then: answered(a) });
    await failure(scene.up([a, b]));
    expect(Object.keys(scene.set.state.rules as object)).toEqual(["a"]);
    expect(await scene.up([a, b])).toBe("update");
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
  });
});

describe("a service that refuses to list rules", () => {
  it.each([403, 404, 405, 501])(
    "with %d is reported once, and rules are still written",
    async (status) => {
      await scene.refuseList(status);
      // Only the next process asks for the list again.
      onTestFinished(() => scene.host.stop());
      await scene.host.stop();
      scene.host.stderr = "";
      const { environment, set } = scene;
      const error = await failure(set.up({ environment, rules: [a] }));
      expect(error.message).toSay("rule-set/creation-without-a-list", {
        environment,
      });
      const takeOver = true;
      await set.up({ environment, rules: [a], takeOver });
      await scene.add(b);
      expect(await set.refresh()).toBe(true);
      expect(Object.keys(set.state.rules as object)).toEqual(["a"]);
      const rules = rulesOf("a", "c", "d", "e");
      expect(await set.up({ environment, rules, takeOver })).toBe("update");
      await expect(
        set.up({ environment, rules: rulesOf("x"), takeOver }),
      ).rejects.toSay("rule-set/deletes-too-many");
      await set.destroy();
      const lines = scene.host.stderr.split("\n");
      expect(lines.filter((line) => line.includes("does not notice"))).toEqual([
        expect.toSay("rule-set/no-list", { status: String(status) }),
      ]);
      await scene.workspace.forgetFaults();
      expect(await scene.namesInForce()).toEqual([]);
    },
  );

  it("is no source for an import of rules", async () => {
    await scene.refuseList(404);
    await expect(
      scene.host.read("FilteringRuleSet", scene.environment, {}),
    ).rejects.toSay("rule-set/import-without-a-list", {
      environment: scene.environment,
    });
  });
});

it("any other error of the list stops the update", async () => {
  await scene.up([a]);
  await scene.refuseList(401);
  await expect(scene.up([b])).rejects.toThrow("Listing filtering rules");
  await scene.workspace.forgetFaults();
  expect(await scene.namesInForce()).toEqual(["a"]);
});

describe("two rule sets of one environment", () => {
  const other = () => new HostedResource(scene.host, "FilteringRuleSet");

  it("are both refused, although neither check could see the other rule set", async () => {
    const { environment } = scene;
    const results: PromiseSettledResult<unknown>[] = [];
    const calls = await scene.callsOf(async () => {
      const creations = ["a", "b"].map((name) =>
        other().up({ environment, rules: [rule(name)] }),
      );
      results.push(...(await Promise.allSettled(creations)));
    });
    // Neither check finds rules, nor does the first creation.
    expect(calls.filter((call) => call === LIST)).toHaveLength(3);
    expect(calls).not.toContain(BULK);
    for (const result of results)
      expect(String((result as PromiseRejectedResult).reason)).toContain(
        "Another FilteringRuleSet of this program has the rule set",
      );
    expect(results).toHaveLength(2);
    expect(await scene.inForce()).toEqual([]);
  });

  it("do not wait for each other in two environments", async () => {
    const production = await scene.newEnvironment("Production");
    await scene.bulkFault({ then: { delayMs: 1_000 }, times: 2 });
    const mark = await scene.workspace.mark();
    const settled: string[] = [];
    const creations = [scene.environment, production].map((environment) =>
      other()
        .up({ environment, rules: [a] })
        .then(() => settled.push(environment)),
    );
    // The service records a call when it arrives, and answers these calls later.
    await expect
      .poll(
        async () =>
          (await scene.workspace.requestsSince(mark)).filter(
            ({ method }) => method === "POST",
          ).length,
        { timeout: 10_000 },
      )
      .toBe(2);
    expect(settled).toEqual([]);
    await Promise.all(creations);
  });
});

describe("the calls of a rule set", () => {
  const many = Array.from({ length: 500 }, (_, i) => rule(`rule ${i}`));

  it("are a list, then an overwrite beside a second list, for any number of rules, and one more list for a creation", async () => {
    const create = await scene.callsOf(() => scene.up(many));
    expect(create.sort()).toEqual([LIST, LIST, LIST, BULK]);
    const next = [...many.slice(1, 400), a, ...many.slice(400)];
    const program = { environment: scene.environment, rules: next };
    expect(await scene.callsOf(() => scene.set.preview(program))).toEqual([]);
    const update = await scene.callsOf(() => scene.up(next));
    expect(update[0]).toBe(LIST);
    expect(update.slice(1).sort()).toEqual([LIST, BULK]);
    expect(await scene.callsOf(() => scene.up(next))).toEqual([]);
    expect(await scene.namesInForce()).toEqual(next.map(({ name }) => name));
  });

  it("are one list fewer for a creation with takeOver", async () => {
    const create = await scene.callsOf(() => scene.up([a], { takeOver: true }));
    expect(create.sort()).toEqual([LIST, LIST, BULK]);
  });

  it("are none when only local inputs change, and the rules keep their IDs", async () => {
    await scene.up([a, b]);
    const ids = (await scene.inForce()).map(({ id }) => id);
    const { ruleIds, seenRuleIds } = scene.set.state;
    for (const more of [
      { takeOver: true },
      { allowEmpty: true },
      { maxDeletedPercent: 75 },
      { onDrift: "overwrite" },
      {},
    ]) {
      const calls = await scene.callsOf(async () => {
        expect(await scene.up([a, b], more)).toBe("update");
        expect(await scene.up([a, b], more)).toBe("same");
      });
      expect(calls).toEqual([]);
      expect(scene.set.state).toMatchObject({ ...more, ruleIds, seenRuleIds });
    }
    expect((await scene.inForce()).map(({ id }) => id)).toEqual(ids);
  });

  it("are one list of rules and one of environments for a refresh of five rule sets", async () => {
    const environments = await Promise.all(
      ["1", "2", "3", "4", "5"].map((n) => scene.newEnvironment(`Part ${n}`)),
    );
    const sets = await Promise.all(
      environments.map(async (environment) => {
        const set = new HostedResource(scene.host, "FilteringRuleSet");
        await set.up({ environment, rules: rulesOf("a", "b") });
        return set;
      }),
    );
    const before = sets.map(({ state }) => state);
    const refresh = () => Promise.all(sets.map((set) => set.refresh()));
    const calls = await scene.callsOf(refresh);
    expect(calls.sort()).toEqual(["GET /environments", LIST]);
    expect(sets.map(({ state }) => state)).toEqual(before);
    const [one] = sets;
    await one?.up({ environment: one.id, rules: rulesOf("b", "a") });
    expect((await scene.callsOf(refresh)).sort()).toEqual([
      "GET /environments",
      LIST,
    ]);
    expect(one?.state.rules).toMatchObject({
      b: { after: "" },
      a: { after: "b" },
    });
  });
});
