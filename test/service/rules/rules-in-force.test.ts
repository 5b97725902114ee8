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

const write = (...expressions: string[]) =>
  store.filteringRules.overwrite(
    "us",
    environment,
    expressions.map((expression) => ({
      name: "a",
      expression,
      action: "deny",
    })),
  );

it("a rule set is compiled once for its content, and a limited number is kept", () => {
  const [rule] = write("true");
  const decideOf = (version: number) => {
    store.filteringRules.update("us", rule?.id ?? "", {
      expression: `sdk.version == '${version}'`,
    });
    return rulesInForce(store, "us", environment);
  };
  const first = decideOf(0);
  expect(rulesInForce(store, "us", environment)).toBe(first);
  expect(decideOf(1)).not.toBe(first);
  expect(decideOf(0)).toBe(first);
  for (let version = 2; version < 102; version++) decideOf(version);
  expect(decideOf(0)).not.toBe(first);
});

it("a rule of a data file that knew another language never matches", () => {
  write("origin ==", "origin == 1", "sdk.platform.is_ios", "!false");
  const decide = rulesInForce(store, "us", environment);
  const decidedBy = (sdkPlatform: string) =>
    decide({ headers: {}, sdkPlatform }).decidedBy?.expression;
  expect(decidedBy("ios")).toBe("sdk.platform.is_ios");
  expect(decidedBy("js")).toBe("!false");
});
