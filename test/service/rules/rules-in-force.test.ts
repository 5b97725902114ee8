import { expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { rulesInForce } from "../../../service/src/rules/rules-in-force";
import { openStore } from "../../../service/src/store/store";

it("a rule set is compiled once for its content, and a limited number is kept", () => {
  const store = openStore(":memory:", new Clock(), DEVELOPMENT_KEYS);
  const { id = "" } = store.environments.default("us") ?? {};
  const [rule] = store.filteringRules.overwrite("us", id, [
    { name: "a", expression: "true", action: "deny" },
  ]);
  const decideOf = (version: number) => {
    store.filteringRules.update("us", rule?.id ?? "", {
      expression: `sdk.version == '${version}'`,
    });
    return rulesInForce(store, "us", id);
  };
  const first = decideOf(0);
  expect(rulesInForce(store, "us", id)).toBe(first);
  expect(decideOf(1)).not.toBe(first);
  expect(decideOf(0)).toBe(first);
  for (let version = 2; version < 102; version++) decideOf(version);
  expect(decideOf(0)).not.toBe(first);
  store.close();
});
