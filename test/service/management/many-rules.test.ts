import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { expressionViolations } from "../../../service/src/rules/check-rules";
import { RuleOrder } from "../../../service/src/store/rule-order";
import { LocalWorkspace } from "../../helpers/local-workspace.js";

const COUNT = 10_000;
const rules = (more: (i: number) => object = () => ({})) =>
  Array.from({ length: COUNT }, (_, i) => ({
    name: `${i}`,
    expression: "sdk.platform.is_ios",
    action: "deny",
    ...more(i),
  }));

describe("ten thousand rules", () => {
  // contract: management-175
  it("can be merged and placed by bulk calls", async () => {
    const local = await LocalWorkspace.start();
    const bulk = (given: object[]) =>
      local.us("POST", "/filtering-rules/bulk", { body: { rules: given } });
    const { status, ids } = await bulk(rules());
    expect([status, ids.length]).toEqual([200, COUNT]);
    // A body of 1 MB has room for this many changes with a placement.
    const half = COUNT / 2;
    const reversed = await bulk(
      rules((i) => ({ id: ids[i], placement: { position: 0 } })).slice(0, half),
    );
    expect(reversed.status).toBe(200);
    const behind = await bulk(
      rules((i) => ({
        id: ids[i],
        placement: i === 0 ? { position: 0 } : { after: ids[i - 1] },
      })).slice(0, half),
    );
    expect(behind.status).toBe(200);
    const { list } = await local.us("GET", "/filtering-rules");
    expect(list.map(({ id }) => id)).toEqual(ids);
    await local.close();
  }, 60_000);

  it("are checked in parts, so that other calls are answered meanwhile", async () => {
    let turns = 0;
    let isChecking = true;
    const turn = () => {
      turns++;
      if (isChecking) setImmediate(turn);
    };
    setImmediate(turn);
    const given = rules((i) => ({
      expression: `http.user_agent.string == "${i}"`,
    }));
    expect(await expressionViolations({ rules: given })).toEqual([]);
    isChecking = false;
    expect(turns).toBeGreaterThan(2);
  });
});

describe("an order of rules", () => {
  const ids = ["a", "b", "c", "d", "e"];
  it.each([
    ["x", { position: 0 }, "xabcde"],
    ["x", { position: 1 }, "axbcde"],
    ["x", { position: 4 }, "abcdxe"],
    ["x", { position: 9 }, "abcdex"],
    ["x", {}, "abcdex"],
    ["x", { after: "b" }, "abxcde"],
    ["x", { after: "e" }, "abcdex"],
    ["x", { before: "a" }, "xabcde"],
    ["x", { before: "none" }, "abcdex"],
    ["x", { after: "none" }, "abcdex"],
    ["b", { position: 3 }, "acdbe"],
    ["b", { position: 1 }, "abcde"],
    ["b", { after: "e" }, "acdeb"],
    ["b", {}, "acdeb"],
  ])("places %s by %j", (id, placement, expected) => {
    const order = new RuleOrder(ids);
    order.place(id, placement);
    expect(order.ids().join("")).toBe(expected);
  });
});
