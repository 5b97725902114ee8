import type { Rule } from "@devid/rules";
import {
  compileRuleSet,
  type RuleRequest,
  type RuleSetDecision,
} from "@devid/rules/language";
import type { Region } from "@devid/sdk";
import { keptByText } from "../kept-by-text";
import type { Store } from "../store/store";

/** Compiles rules, given as JSON. */
const compiled = keptByText(
  (rules) => compileReadable(JSON.parse(rules) as StoredRule[]),
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
): Decide<StoredRule> {
  return compiled(
    JSON.stringify(listRulesInForce(store, workspace, environment)),
  );
}

/** The rules in force in an environment, disabled ones included. */
export function listRulesInForce(
  { filteringRules }: Store,
  workspace: Region,
  environment: string,
): StoredRule[] {
  return filteringRules
    .list(workspace, { environment })
    .map(({ id, name, expression, action, status, deny_with }) => ({
      id,
      name,
      expression,
      action,
      status,
      denyWith: deny_with ?? undefined,
    }));
}

/** A rule with its ID, by which a decision names it. */
export interface StoredRule extends Rule {
  readonly id: string;
}

/** Decides about a request. `R` is the kind of rules that it was compiled from. */
type Decide<R extends Rule> = (
  request: RuleRequest,
) => Omit<RuleSetDecision, "decidedBy"> & { readonly decidedBy?: R };

/**
 * Compiles the rules that can be parsed. The others never match. They can only
 * come from a data file of a service that knew another rule language.
 */
export function compileReadable<R extends Rule>(
  rules: readonly R[],
): Decide<R> {
  const compiled = compileRuleSet(rules);
  // The rule that decided is one of the given rules.
  if (compiled.ok) return compiled.evaluate as Decide<R>;
  const refused = new Set(compiled.refused.map(({ index }) => index));
  return compileReadable(rules.filter((_, index) => !refused.has(index)));
}
