import type { OperationContext } from "../../definition/define-resource";
import { orMissing } from "../../session/or-missing";
import { stopDestroyingEdits } from "./guards";
import { putInForce } from "./put-in-force";
import { fromService } from "./rule-set-state";
import { rulesInForce } from "./rules-in-force";
import type { LastLook } from "./rules-of-others";

/**
 * Takes away the rules in force that this resource wrote, told by their IDs.
 * Rules of others stay in force.
 * @throws RuleSetGuardError when somebody edited them
 */
export async function deleteOwnRules(
  context: OperationContext,
  environment: string,
  last: LastLook,
  onDrift: "fail" | "overwrite",
): Promise<void> {
  const { filteringRules } = context.client;
  const { rules, ownIds: ids = new Set() } = last;
  const inForce = await rulesInForce(context, environment);
  if (!inForce) {
    for (const id of ids) await orMissing(filteringRules.delete(id));
    return;
  }
  const own = inForce.filter(({ id }) => ids.has(id));
  const others = inForce.filter(({ id }) => !ids.has(id));
  const stay = `what it did not write stays in force: ${others.map(({ name }) => name).join(", ")}`;
  if (own.length === 0) {
    if (others.length > 0)
      await context.tell(
        "info",
        `Nothing was deleted from the filtering rules of environment ${environment}: none of them is of this rule set; ${stay}.`,
      );
    return;
  }
  if (onDrift !== "overwrite")
    stopDestroyingEdits(environment, fromService(own), rules);
  if (others.length === 0) {
    await putInForce(context, {
      environment,
      declared: [],
      before: inForce,
      last,
      mayOverwrite: true,
    });
    return;
  }
  // The last first: those before it decide first.
  for (const { id } of own.toReversed())
    await orMissing(filteringRules.delete(id));
  await context.tell(
    "info",
    `${own.length === 1 ? "1 filtering rule" : `${own.length} filtering rules`} of environment ${environment} deleted; ${stay}.`,
  );
}
