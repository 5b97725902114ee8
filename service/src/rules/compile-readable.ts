import {
  compileRuleSet,
  type Rule,
  type RuleRequest,
  type RuleSetDecision,
} from "@devid/rules";

/** What a rule set says of a request. */
export type Decide = (request: RuleRequest) => RuleSetDecision;

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
