import type { FilteringRule, Rule } from "@devid/sdk";
import { findSteps } from "@devid/sdk/rules";
import type { OperationContext } from "../../definition/define-resource";
import { IncompleteError } from "../../definition/incomplete-error";
import { fromService, toRuleSetState } from "./rule-set-state";
import { settleByLooking } from "../../session/settle-by-looking";
import { rulesInForce } from "./rules-in-force";
import { showSteps } from "./show-steps";

/**
 * Replaces every rule of an environment by the declared ones. `before` are the
 * rules in force until now: without them, a call that got no clear answer
 * cannot be told from one that was not carried out.
 * @throws IncompleteError when the service answers other rules than were sent,
 * or another order; its outputs are what is in force then
 */
export async function putInForce(
  context: OperationContext,
  environment: string,
  declared: readonly Rule[],
  before: readonly FilteringRule[] | undefined,
) {
  const answer = await overwrite(context, environment, declared, before);
  const differences = findSteps(declared, fromService(answer));
  if (differences.length === 0) return writtenTo(environment, answer);
  const inForce = (await rulesInForce(context, environment)) ?? answer;
  throw new IncompleteError(
    environment,
    {
      ...writtenTo(environment, inForce),
      rules: toRuleSetState(fromService(inForce)),
    },
    new Error(
      `The service answered other filtering rules than those sent to environment ${environment}:\n` +
        `${showSteps(differences)}\n` +
        `The state has what is in force now, and the next update tries again.`,
    ),
  );
}

/** The outputs after a write: the rules in force are its own, and the last seen. */
function writtenTo(environment: string, rules: readonly FilteringRule[]) {
  const ids = idsByName(rules);
  return { environmentId: environment, ruleIds: ids, seenRuleIds: ids };
}

/**
 * Overwrites. A call without a clear answer is settled by looking which rules
 * are in force: the declared ones, under IDs that were not there before.
 */
function overwrite(
  context: OperationContext,
  environment: string,
  rules: readonly Rule[],
  before: readonly FilteringRule[] | undefined,
): Promise<readonly FilteringRule[]> {
  const { filteringRules } = context.client;
  return settleByLooking(
    () => filteringRules.bulk({ environment, mode: "overwrite", rules }),
    async () => {
      const inForce = before && (await rulesInForce(context, environment));
      if (!inForce) return undefined;
      const ids = new Set(before.map(({ id }) => id));
      const isDone =
        findSteps(rules, fromService(inForce)).length === 0 &&
        !inForce.some(({ id }) => ids.has(id));
      return isDone ? inForce : undefined;
    },
  );
}

/** IDs of rules under the names that the state has them by. */
export function idsByName(
  rules: readonly FilteringRule[],
): Record<string, string> {
  return Object.fromEntries(
    fromService(rules).map((rule, index) => [
      rule.name,
      rules[index]?.id ?? "",
    ]),
  );
}
