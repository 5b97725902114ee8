import { describe, expect, it } from "vitest";
import { HostedResource } from "../../../helpers/hosted-resource";
import { failure, rule, rulesOf, ruleSetScene } from "./rule-set-scene";

const scene = ruleSetScene();
const [a, b] = [rule("a"), rule("b")];
const BULK = "POST /filtering-rules/bulk";
const LIST = "GET /filtering-rules";
const another = () => new HostedResource(scene.host, "FilteringRuleSet");
const writes = (calls: readonly string[]) =>
  calls.filter((call) => !call.startsWith("GET"));

describe("the deletion of a rule set", () => {
  it("is one overwrite when it owns all rules in force", async () => {
    await scene.up([a, b]);
    const calls = await scene.callsOf(() => scene.set.destroy());
    expect(calls.sort()).toEqual(["GET /environments", LIST, LIST, BULK]);
    expect(await scene.namesInForce()).toEqual([]);
  });

  it("deletes its own rules from the last to the first, keeps the rules of others in force, and names them", async () => {
    await scene.up([a, b]);
    await scene.add(rule("theirs"));
    const { a: first, b: second } = await scene.idsInForce();
    const calls = await scene.callsOf(() => scene.set.destroy());
    expect(writes(calls)).toEqual([
      `DELETE /filtering-rules/${second}`,
      `DELETE /filtering-rules/${first}`,
    ]);
    expect(await scene.namesInForce()).toEqual(["theirs"]);
    expect(scene.host.stderr).toContain(
      `2 filtering rules of environment ${scene.environment} deleted by this rule set; rules that it did not write stay in force: theirs.\n`,
    );
  });

  it("writes nothing when it owns no rule in force, even for equal rules, and says so", async () => {
    await scene.up([a, b]);
    await scene.byHand([a, b]);
    const theirs = await scene.idsInForce();
    const calls = await scene.callsOf(() => scene.set.destroy());
    expect(writes(calls)).toEqual([]);
    expect(await scene.idsInForce()).toEqual(theirs);
    expect(scene.host.stderr).toContain(
      `No filtering rule of environment ${scene.environment} was deleted, because the deleted FilteringRuleSet wrote none of them; rules that it did not write stay in force: a, b.\n`,
    );
  });

  it("writes nothing and says nothing when no rule is in force", async () => {
    await scene.up([a, b]);
    await scene.byHand([]);
    const before = scene.host.stderr;
    const calls = await scene.callsOf(() => scene.set.destroy());
    expect(writes(calls)).toEqual([]);
    expect(scene.host.stderr).toBe(before);
  });

  it("continues where it stopped", async () => {
    await scene.up([a, b]);
    await scene.add(rule("theirs"));
    const { a: first } = await scene.idsInForce();
    const match = { method: "DELETE", path: `*/${first}` };
    await scene.workspace.refuseOnce(match);
    await expect(scene.set.destroy()).rejects.toThrow("No");
    expect(await scene.namesInForce()).toEqual(["a", "theirs"]);
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual(["theirs"]);
  });

  it.each([403, 404, 405, 501])(
    "deletes its own rules one by one when the service refuses the list with %d",
    async (status) => {
      await scene.up([a, b]);
      await scene.add(rule("theirs"));
      const { a: first, b: second } = await scene.idsInForce();
      await scene.refuseList(status);
      const calls = await scene.callsOf(() => scene.set.destroy());
      expect(writes(calls).sort()).toEqual(
        [first, second].map((id) => `DELETE /filtering-rules/${id}`).sort(),
      );
      await scene.workspace.forgetFaults();
      expect(await scene.namesInForce()).toEqual(["theirs"]);
    },
  );

  it("is refused when somebody edited one of its rules, whatever other rules exist", async () => {
    await scene.up([a, b]);
    await scene.edit("a", { action: "allow" });
    await scene.add(rule("theirs"));
    const error = await failure(scene.set.destroy());
    expect(error.message).toContain("~   1 a allow action deny -> allow\n");
    expect(error.message).not.toContain("theirs");
    expect(await scene.namesInForce()).toEqual(["a", "b", "theirs"]);
  });
});

describe("a rule set whose rules another rule set took over", () => {
  it("deletes nothing after a rename or a move, and says so", async () => {
    await scene.up([a, b]);
    const { environment } = scene;
    await scene.host.stop();
    const renamed = another();
    const program = { environment, rules: [a, b], takeOver: true };
    expect(await renamed.up(program)).toBe("create");
    const ids = await scene.idsInForce();
    expect(renamed.state.ruleIds).toEqual(ids);
    expect(scene.set.state.ruleIds).not.toEqual(ids);
    const calls = await scene.callsOf(() => scene.set.destroy());
    expect(writes(calls)).toEqual([]);
    expect(await scene.idsInForce()).toEqual(ids);
    expect(scene.host.stderr).toContain(
      "it did not write stay in force: a, b.",
    );
    expect(await renamed.up(program)).toBe("same");
  });

  it("has its rules in force with new IDs after a replacement", async () => {
    await scene.up([a, b], { takeOver: true });
    const before = await scene.idsInForce();
    const program = {
      environment: scene.environment,
      rules: [a, b],
      takeOver: true,
    };
    await scene.host.stop();
    await scene.set.replace(program);
    expect(await scene.namesInForce()).toEqual(["a", "b"]);
    const after = await scene.idsInForce();
    expect(Object.values(after)).not.toEqual(Object.values(before));
    expect(scene.set.state).toMatchObject({ ruleIds: after });
    await scene.host.stop();
    expect(await scene.set.up(program)).toBe("same");
  });
});

describe("a refresh", () => {
  it("of equal rules with other IDs takes none over: the next preview shows and explains an update, which writes them", async () => {
    await scene.up([a, b]);
    const { ruleIds } = scene.set.state;
    await scene.byHand([a, b]);
    const theirs = await scene.idsInForce();
    await scene.set.refresh();
    expect(scene.set.state).toMatchObject({ ruleIds, seenRuleIds: theirs });

    const program = { environment: scene.environment, rules: [a, b] };
    expect(await scene.set.preview(program)).toEqual({
      changes: true,
      replaces: [],
    });
    expect(scene.host.stderr).toContain(
      `FilteringRuleSet ${scene.environment}: rules that somebody else wrote, perhaps another stack, are in force: a, b; an update takes them over.\n`,
    );
    expect(await scene.idsInForce()).toEqual(theirs);

    expect(await scene.up([a, b])).toBe("update");
    const own = await scene.idsInForce();
    expect(Object.values(own)).not.toEqual(Object.values(theirs));
    expect(scene.set.state).toMatchObject({ ruleIds: own, seenRuleIds: own });
    expect(await scene.up([a, b])).toBe("same");
  });

  it("shows the rules that others added, but does not own them until an update writes them", async () => {
    await scene.up([a]);
    const { ruleIds } = scene.set.state;
    await scene.add(rule("theirs"));
    await scene.set.refresh();
    expect(scene.set.state).toMatchObject({ ruleIds });
    expect(Object.keys(scene.set.state.rules as object)).toEqual([
      "a",
      "theirs",
    ]);
    expect(await scene.up(rulesOf("a", "theirs"))).toBe("update");
    expect(scene.set.state).toMatchObject({
      ruleIds: await scene.idsInForce(),
    });
    await scene.set.destroy();
    expect(await scene.namesInForce()).toEqual([]);
  });
});
