import { expect, it } from "vitest";
import { DynamicHost } from "../../../helpers/dynamic-host";
import { settingsOf } from "../../settings-of";
import {
  failure,
  rule,
  ruleSetScene,
} from "../../resources/filtering-rule-set/rule-set-scene";

// An error that is too large for the host's answer would never arrive.

const scene = ruleSetScene((settings) => DynamicHost.start(settings));
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => rule(`${name} ${i}`));

it.each([
  [10, true],
  [60, true],
  [130, undefined],
  [180, undefined],
  [500, false],
])(
  "fits an error about %d rules that the service answered differently",
  async (count, isKept) => {
    const rules = many(count, "規則");
    const data = [{ id: "tr_1", status: "enabled", ...rules[0] }];
    await scene.bulkFault({
      then: { status: 200, body: { data } },
      after: true,
    });
    const { message, kept } = await failure(scene.up(rules));
    expect(message).toContain(
      "The service answered with other filtering rules",
    );
    if (isKept !== undefined) expect(kept !== undefined).toBe(isKept);
    expect(message.includes("too large to be sent with an error")).toBe(!kept);
    if (kept)
      expect(Object.keys(kept.properties.rules as object)).toHaveLength(count);
    // Without a state, no resource owns the rules in force.
    const takeOver = !kept;
    const next = await DynamicHost.start(settingsOf(scene.workspace));
    const set = kept ? scene.set : scene.set.on(next);
    const program = { environment: scene.environment, rules, takeOver };
    expect(await set.up(program)).toBe(kept ? "update" : "create");
    await next.stop();
    expect(await scene.inForce()).toHaveLength(count);
  },
);

it("fits an error with very many violations", async () => {
  const violations = Array.from({ length: 2_000 }, (_, i) => ({
    property: `rules[${i}].expression`,
    message: "不正な式です",
  }));
  const error = { code: "validation_error", message: "no", violations };
  await scene.bulkFault({ then: { status: 400, body: { error } } });
  const { message } = await failure(scene.up(many(2, "rule")));
  expect(message).toContain('rules["rule 1"].expression: 不正な式です');
  expect(message).toMatch(/\.\.\. \(cut\)$/);
});
