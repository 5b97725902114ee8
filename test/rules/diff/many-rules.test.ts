import { expect, it } from "vitest";
import { diffRules, type Rule } from "../../../rules/src";
import { ruleCorpus } from "../../bench/rule-corpus";

/** The rules with twenty changes of all kinds, spread over the set. */
function withTwentyChanges(rules: readonly Rule[]): Rule[] {
  const changed = [...rules];
  const at = (part: number) => Math.floor((rules.length * part) / 20);
  for (let part = 0; part < 16; part++) {
    const place = at(part) + 1;
    const old = changed[place];
    if (!old) continue;
    if (part % 4 === 0) changed[place] = { ...old, status: "disabled" };
    if (part % 4 === 1)
      changed[place] = {
        ...old,
        expression: `${old.expression} || http.user_agent.string == 'x${part}'`,
      };
    if (part % 4 === 2)
      changed[place] = { ...old, name: `${old.name}-renamed`, action: "deny" };
    if (part % 4 === 3)
      changed.splice(at(part + 4), 0, ...changed.splice(place, 1));
  }
  return changed;
}

it("finds the effects of twenty changes to 500 rules in time", () => {
  const before = ruleCorpus(500, 1);
  const { changes, effect } = diffRules(before, withTwentyChanges(before));
  expect(changes).toHaveLength(20);
  const classes = [effect, ...changes.map((change) => change.effect)].map(
    (one) => one.class,
  );
  expect(classes).not.toContain("cannot tell");
});

it("finds that renaming every rule changes no decision", () => {
  const before = ruleCorpus(100, 1);
  const after = before.map((rule) => ({ ...rule, name: `${rule.name}-new` }));
  const { changes, effect } = diffRules(before, after);
  expect(changes).toHaveLength(200);
  expect(effect.class).toBe("none");
});
