import { beforeAll, describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";

let environment: string;
const local = localForTests();
beforeAll(() => {
  ({ environment } = local.service.workspaces.us);
});

const rule = (name: string, more: object = {}) => ({
  name,
  expression: "sdk.platform.is_ios",
  action: "deny",
  ...more,
});
const bulk = (rules: unknown, more: object = {}) =>
  local.us("POST", "/filtering-rules/bulk", { body: { rules, ...more } });
const overwrite = (rules: object[], more: object = {}) =>
  bulk(rules, { mode: "overwrite", ...more });
const list = async () => (await local.us("GET", "/filtering-rules")).list;
const names = async () => (await list()).map(({ name }) => name);

describe("mode merge", () => {
  // contract: management-164, management-165, management-166, management-168
  // contract: management-169, management-170, management-173
  it("is the default; updates rules with an ID and creates the other rules, in the default environment", async () => {
    const made = await bulk([rule("a"), rule("b", { status: "disabled" })]);
    expect(made.status).toBe(200);
    const [a, b] = made.list;
    expect(a?.environment).toBe(environment);
    const merged = await bulk([
      rule("c"),
      rule("b, changed", { id: b?.id, action: "allow" }),
    ]);
    expect(merged.list.map(({ name }) => name)).toEqual(["c", "b, changed"]);
    expect(merged.list[1]).toMatchObject({
      id: b?.id,
      status: "disabled",
      deny_with: null,
    });
    expect(await names()).toEqual(["a", "b, changed", "c"]);
    expect((await list())[0]).toEqual(a);
  });

  // contract: management-143
  it("places rules one after another", async () => {
    const { ids } = await bulk([rule("a"), rule("b"), rule("c")]);
    await bulk([
      rule("first", { placement: { position: 0 } }),
      rule("c", { id: ids[2], placement: { before: ids[0] } }),
      rule("behind a", { placement: { after: ids[0] } }),
    ]);
    expect(await names()).toEqual(["first", "c", "a", "behind a", "b"]);
  });

  // contract: management-165, management-166, management-172, management-173
  it("reports every violation with its rule, and then changes nothing", async () => {
    const { ids } = await bulk([rule("a"), rule("b")]);
    const before = await list();
    const answer = await bulk([
      rule("a, changed", { id: ids[0] }),
      rule("x", { id: "tr_none", expression: "" }),
      rule("y", { id: ids[0], placement: { after: "tr_none" } }),
      "no rule",
      rule("z", { placement: { after: ids[0], before: ids[1] }, environment }),
    ]);
    expect(answer.status).toBe(400);
    expect(answer.violated).toEqual([
      "rules[1].expression",
      "rules[1].id",
      "rules[2].id",
      "rules[2].placement.after",
      "rules[3]",
      "rules[4].environment",
      "rules[4].placement",
    ]);
    expect(await list()).toEqual(before);
  });

  // contract: management-167
  it("accepts only IDs of its own environment", async () => {
    const id = await local.newEnvironment();
    const { ids } = await bulk([rule("there")], { environment: id });
    const here = await bulk([rule("here", { id: ids[0] })]);
    expect(here.violated).toEqual(["rules[0].id"]);
    const there = await bulk([rule("renamed", { id: ids[0] })], {
      environment: id,
    });
    expect(there.list[0]).toMatchObject({ id: ids[0], environment: id });
    const unknown = await bulk([rule("x")], { environment: "ae_none" });
    expect(unknown.violated).toEqual(["environment"]);
  });
});

describe("mode overwrite", () => {
  // contract: management-171, management-173
  it("replaces the rules of the environment by new rules in the order of the array", async () => {
    const id = await local.newEnvironment();
    const elsewhere = (await bulk([rule("elsewhere")], { environment: id }))
      .list;
    const old = (await bulk([rule("a"), rule("b"), rule("c")])).ids;
    const answer = await overwrite([rule("c"), rule("a"), rule("new")]);
    expect(answer.status).toBe(200);
    expect(await list()).toEqual([...answer.list, ...elsewhere]);
    expect(answer.list.map(({ name }) => name)).toEqual(["c", "a", "new"]);
    for (const gone of old) {
      expect(answer.ids).not.toContain(gone);
      expect((await local.us("GET", `/filtering-rules/${gone}`)).status).toBe(
        404,
      );
    }
  });

  it("accepts an empty set", async () => {
    await bulk([rule("a")]);
    expect((await overwrite([])).list).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it.each<[string, (object | undefined)[], string]>([
    // contract: management-174
    ["positions", [{ position: 2 }, { position: 0 }, { position: 1 }], "bca"],
    ["one position", [{ position: 2 }, undefined, undefined], "bca"],
    [
      "positions that a move of one rule after another would get wrong",
      [{ position: 2 }, { position: 3 }, { position: 1 }, { position: 0 }],
      "dcab",
    ],
    ["a position beyond the end", [{ position: 9 }, undefined], "ba"],
    // contract: management-174
    ["behind another rule", [{ after: "tr_b" }, undefined, undefined], "bac"],
    ["before another rule", [undefined, undefined, { before: "tr_a" }], "cab"],
    ["nothing", [{}, {}], "ab"],
  ])("accepts placements: %s", async (_, placements, order) => {
    await bulk([rule("old")]);
    const given = placements.map((placement, index) => {
      const name = "abcd".charAt(index);
      return rule(name, { id: `tr_${name}`, placement });
    });
    const answer = await overwrite(given);
    expect(answer.status).toBe(200);
    expect(answer.list.map(({ name }) => name)).toEqual(
      given.map(({ name }) => name),
    );
    expect(await names()).toEqual([...order]);
  });

  // contract: management-174
  it("refuses a neighbour that it deletes, and then deletes nothing", async () => {
    const { list: before, ids } = await bulk([rule("a")]);
    const answer = await overwrite([
      rule("b", { placement: { after: ids[0] } }),
      rule("c", { id: "tr_c", placement: { before: "tr_c" }, action: "block" }),
      rule("d", { placement: { position: 0, after: "tr_c" } }),
    ]);
    expect(answer.violated).toEqual([
      "rules[0].placement.after",
      "rules[1].action",
      "rules[1].placement.before",
      "rules[2].placement",
    ]);
    expect(await list()).toEqual(before);
  });

  // contract: management-173
  it("ignores IDs, because every rule is new", async () => {
    const { ids } = await bulk([rule("a")]);
    const { list: after } = await overwrite([rule("b", { id: ids[0] })]);
    expect(after[0]?.id).not.toBe(ids[0]);
    expect((await local.us("GET", "/filtering-rules")).ids).toEqual([
      after[0]?.id,
    ]);
  });

  it("is atomic for readers", async () => {
    const sets = ["x", "y"].map((set) =>
      Array.from({ length: 8 }, (_, n) => rule(`${set}${n}`)),
    );
    await overwrite(sets[0] ?? []);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await overwrite(sets[n % 2] ?? []);
        return names();
      }),
    );
    for (const seen of answers) {
      expect(seen).toHaveLength(8);
      expect(new Set(seen.map((name) => String(name).charAt(0))).size).toBe(1);
    }
  });
});

// contract: management-165
it.each([
  [{}, ["rules"]],
  [{ rules: {} }, ["rules"]],
  // contract: management-169
  [{ rules: [], mode: "replace", dry: true }, ["dry", "mode"]],
  [[], ["body"]],
])("a bulk call refuses %j", async (body, violated) => {
  const answer = await local.us("POST", "/filtering-rules/bulk", { body });
  expect([answer.status, answer.violated]).toEqual([400, violated]);
});
