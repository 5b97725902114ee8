import {
  compileRuleSet,
  type Rule,
  type RuleRequest,
  type RuleSetDecision,
} from "@devid/rules";
import type { Region } from "@devid/sdk";
import { keptByText } from "../kept-by-text";
import type { Store } from "../store/store";

/** Compiles rules, given as JSON. */
const compiled = keptByText(
  (rules) => compileReadable(JSON.parse(rules) as Rule[]),
  100,
);

/**
 * Compiles the rules in force in an environment; disabled ones are skipped
 * (docs/contract.md, "Evaluation order"). The key of the cache is the content
 * of the rules, so a change takes effect at once (docs/assumptions.md, A37).
 */
export function rulesInForce(
  store: Store,
  workspace: Region,
  environment: string,
): Decide {
  return store.remember(`rules in force in ${workspace} ${environment}`, () =>
    compiled(JSON.stringify(listRulesInForce(store, workspace, environment))),
  );
}

/** The rules in force in an environment, disabled ones included. */
export function listRulesInForce(
  { filteringRules }: Store,
  workspace: Region,
  environment: string,
): Rule[] {
  return filteringRules
    .list(workspace, { environment })
    .map(({ name, expression, action, status, deny_with }) => ({
      name,
      expression,
      action,
      status,
      denyWith: deny_with ?? undefined,
    }));
}

type Decide = (request: RuleRequest) => RuleSetDecision;

/**
 * Compiles the rules that can be parsed. The others never match. They can only
 * come from a data file of a service that knew another rule language.
 */
export function compileReadable(rules: readonly Rule[]): Decide {
  const compiled = compileRuleSet(rules);
  if (compiled.ok) return compiled.evaluate;
  const refused = new Set(compiled.refused.map(({ index }) => index));
  return compileReadable(rules.filter((_, index) => !refused.has(index)));
}
