import type { OperationContext } from "../../definition/define-resource";
import { orMissing } from "../../session/answers";
import { stopDestroyingEdits } from "./guards";
import { overwriteRules } from "./overwrite-rules";
import { fromService } from "./rule-set-state";
import { listInForce, type KnownRules } from "./rules-in-force";

/**
 * Deletes the rules in force that this resource wrote, which it knows by their IDs.
 * All other rules stay in force.
 * @throws RuleSetGuardError when somebody has edited one of its rules
 */
export async function deleteOwnRules(
  context: OperationContext,
  environment: string,
  known: KnownRules,
  onDrift: "fail" | "overwrite",
): Promise<void> {
  const { filteringRules } = context.client;
  const { ownIds: ids = new Set() } = known;
  const inForce = await listInForce(context, environment);
  if (!inForce) {
    for (const id of ids) await orMissing(filteringRules.delete(id));
    return;
  }
  const own = inForce.filter(({ id }) => ids.has(id));
  const others = inForce.filter(({ id }) => !ids.has(id));
  const stay = `rules that it did not write stay in force: ${others.map(({ name }) => name).join(", ")}`;
  if (own.length === 0) {
    if (others.length > 0)
      await context.log(
        "info",
        `No filtering rule of environment ${environment} was deleted, because the deleted FilteringRuleSet wrote none of them; ${stay}.`,
      );
    return;
  }
  if (onDrift !== "overwrite")
    stopDestroyingEdits(environment, fromService(own), known);
  if (others.length === 0) {
    await overwriteRules(context, {
      environment,
      declared: [],
      before: inForce,
      known,
      mayOverwrite: true,
    });
    return;
  }
  // From the end of the list, so that the remaining rules keep deciding in their order.
  for (const { id } of own.toReversed())
    await orMissing(filteringRules.delete(id));
  await context.log(
    "info",
    `${own.length === 1 ? "1 filtering rule" : `${own.length} filtering rules`} of environment ${environment} deleted by this rule set; ${stay}.`,
  );
}
