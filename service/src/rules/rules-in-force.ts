import {
  compileRuleSet,
  type Rule,
  type RuleRequest,
  type RuleSetDecision,
} from "@devid/rules";
import type { Region } from "@devid/sdk";
import type { Store } from "../store/store";

const compiled = new Map<string, Decide>();
const MAX_COMPILED = 100;

/**
 * What the rules of an environment decide, in their order; disabled ones are
 * skipped (docs/contract.md, "Evaluation order"). A rule set is compiled once
 * and kept by what it says, so that a change of rules acts at once
 * (docs/assumptions.md, A37).
 */
export function rulesInForce(
  { filteringRules }: Store,
  workspace: Region,
  environment: string,
): Decide {
  const rules = filteringRules
    .list(workspace, { environment })
    .map(({ name, expression, action, status, deny_with }): Rule => ({
      name,
      expression,
      action,
      status,
      denyWith: deny_with ?? undefined,
    }));
  const key = JSON.stringify(rules);
  const known = compiled.get(key);
  if (known) return known;
  const decide = compileReadable(rules);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, decide);
  return decide;
}

/** What a rule set says of a request. */
type Decide = (request: RuleRequest) => RuleSetDecision;

/**
 * Compiles a rule set without the rules that cannot be read. Such a rule never
 * matches; it can only come from a data file of an earlier version, which
 * stored any text (docs/assumptions.md, A35).
 */
export function compileReadable(rules: readonly Rule[]): Decide {
  const compiled = compileRuleSet(rules);
  if (compiled.ok) return compiled.evaluate;
  const refused = new Set(compiled.refused.map(({ index }) => index));
  return compileReadable(rules.filter((_, index) => !refused.has(index)));
}
