import { ServiceError, type FilteringRule } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";

/** Answers of a service that has no list, or does not give it to this key. */
const REFUSALS = [403, 404, 405, 501];

/**
 * The rules of an environment in their order; `undefined` where the service
 * refuses to list rules, which is told once (docs/assumptions.md, A130).
 * Before a write they are asked for anew; a refresh (`isRefresh`) of several
 * environments finds them in one list.
 */
export async function rulesInForce(
  { client, session, tell }: OperationContext,
  environment: string,
  { isRefresh = false } = {},
): Promise<readonly FilteringRule[] | undefined> {
  const { filteringRules } = client;
  const list = () => filteringRules.list({ environment });
  try {
    if (!isRefresh) return await list();
    const { workspace } = await session.workspace();
    return await session.reads.part(
      filteringRules,
      list,
      (rule) => (rule.environment ?? workspace) === environment,
    );
  } catch (error) {
    if (!(error instanceof ServiceError && REFUSALS.includes(error.status)))
      throw error;
    if (session.isFirst("no list of rules"))
      await tell(
        "warning",
        `${error.message} Filtering rule sets go on without it: what others change in them is not noticed.`,
      );
    return undefined;
  }
}
