import { firstOf, shortened } from "@devid/rules/internals";
import type { PlannedRuleSet } from "./review";

/**
 * The number of names that a sentence of a report lists; the sentence only
 * counts the rest.
 */
const MOST_NAMES = 10;

/**
 * Characters that a sentence shows of the name of a rule, a resource or an
 * environment.
 */
export const LONGEST_NAME = 80;

/**
 * Names a rule set of a plan and its environment: `shop of Production (ae_1)`. Each
 * part goes through `quote`.
 */
export function nameOfRuleSet(
  { name, environment }: Pick<PlannedRuleSet, "name" | "environment">,
  quote: (text: string) => string = (text) => text,
): string {
  return (environment === undefined ? [name] : [name, environment])
    .map((text) => quote(shortened(text, LONGEST_NAME)))
    .join(" of ");
}

/**
 * Lists names: `a, b, c, and 4 more`; empty if there are none. Each goes through
 * `quote`.
 */
export function listNames(
  names: readonly string[],
  quote: (name: string) => string = (name) => name,
): string {
  const quoted = names.map((name) => quote(shortened(name, LONGEST_NAME)));
  return firstOf(quoted, MOST_NAMES).join(", ");
}
