import { afterEach, beforeEach, expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { rulesInForce } from "../../../service/src/rules/evaluate-rules";
import { openStore, type Store } from "../../../service/src/store/store";

let store: Store;
let environment: string;
beforeEach(() => {
  store = openStore(":memory:", new Clock(), DEVELOPMENT_KEYS);
  environment = store.environments.default("us")?.id ?? "";
});
afterEach(() => store.close());

const rule = { name: "a", expression: "true", action: "deny" } as const;

const write = (...expressions: string[]) =>
  store.filteringRules.overwrite(
    "us",
    environment,
    expressions.map((expression) => ({ ...rule, expression })),
  );

const inForce = (of = environment) => rulesInForce(store, "us", of);
const named = (id: string) => ({ workspace: "us", id }) as const;
const add = (of: string) => store.filteringRules.create("us", of, rule);

it("a rule set is compiled once, and anew after each write of one of its rules", () => {
  const { id: other } = store.environments.create("us", { name: "other" });
  const { filteringRules } = store;
  const { id } = add(environment);
  const ofOther = inForce(other);
  for (const change of [
    () => add(environment),
    () => filteringRules.update(named(id), { name: "b" }),
    () => filteringRules.update(named(id), { placement: { position: 1 } }),
    () => filteringRules.merge("us", environment, [{ ...rule, id }]),
    () => write("true", "false"),
    () => filteringRules.remove(add(environment)),
  ]) {
    const before = inForce();
    expect(inForce()).toBe(before);
    change();
    expect(inForce(), String(change)).not.toBe(before);
  }
  expect(inForce(other)).toBe(ofOther);
});

it("a rule that moves, a deleted environment and a reset leave no rules in force behind", () => {
  const { id: other } = store.environments.create("us", { name: "other" });
  const deny = (of: string) => inForce(of)({ headers: {} }).result === "deny";
  const { id } = add(environment);
  expect([environment, other].map(deny)).toEqual([true, false]);
  store.filteringRules.update(named(id), { environment: other });
  expect([environment, other].map(deny)).toEqual([false, true]);
  store.environments.remove(named(other));
  expect(deny(other)).toBe(false);
  add(environment);
  expect(deny(environment)).toBe(true);
  // The default environment keeps its ID.
  store.reset();
  expect(deny(environment)).toBe(false);
});

it("a write that fails leaves the rules in force", () => {
  write("true");
  expect(inForce()({ headers: {} }).result).toBe("deny");
  expect(() =>
    store.transaction(() => {
      write("false");
      throw new Error("The disk is full.");
    }),
  ).toThrow();
  expect(inForce()({ headers: {} }).result).toBe("deny");
});

it("a rule of a data file that knew another language never matches", () => {
  write("origin ==", "origin == 1", "sdk.platform.is_ios", "!false");
  const decide = rulesInForce(store, "us", environment);
  const decidedBy = (sdkPlatform: string) =>
    decide({ headers: {}, sdkPlatform }).decidedBy?.expression;
  expect(decidedBy("ios")).toBe("sdk.platform.is_ios");
  expect(decidedBy("js")).toBe("!false");
});
