import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { expressionViolations } from "../../../service/src/rules/evaluate-rules";
import { place } from "../../../service/src/store/filtering-rules";
import { localForTest } from "../../helpers/local-for-tests.js";

const COUNT = 1_000;
const rules = (more: (i: number) => object = () => ({})) =>
  Array.from({ length: COUNT }, (_, i) => ({
    name: `${i}`,
    expression: "sdk.platform.is_ios",
    action: "deny",
    ...more(i),
  }));

describe("a thousand rules", () => {
  // contract: management-175
  it("can be merged and placed by bulk calls", async () => {
    const local = await localForTest();
    const bulk = (given: object[]) =>
      local.us("POST", "/filtering-rules/bulk", { body: { rules: given } });
    const { status, ids } = await bulk(rules());
    expect([status, ids.length]).toEqual([200, COUNT]);
    const reversed = await bulk(
      rules((i) => ({ id: ids[i], placement: { position: 0 } })),
    );
    expect(reversed.status).toBe(200);
    const behind = await bulk(
      rules((i) => ({
        id: ids[i],
        placement: i === 0 ? { position: 0 } : { after: ids[i - 1] },
      })),
    );
    expect(behind.status).toBe(200);
    const { list } = await local.us("GET", "/filtering-rules");
    expect(list.map(({ id }) => id)).toEqual(ids);
  }, 60_000);

  it("are checked in parts, so that other calls are answered meanwhile", async () => {
    let turns = 0;
    let isChecking = true;
    const turn = () => {
      turns++;
      if (isChecking) setImmediate(turn);
    };
    setImmediate(turn);
    // Long enough for several turns on a fast machine.
    const given = rules((i) => ({
      expression: Array.from(
        { length: 10 },
        (_, k) => `http.user_agent.string == "${i}.${k}"`,
      ).join(" || "),
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
    const order = [...ids];
    place(order, id, placement);
    expect(order.join("")).toBe(expected);
  });
});
