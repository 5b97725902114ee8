import { ServiceError, type Client, type FilteringRule } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";

/** Answers of a service that has no list, or does not give it to this key. */
const REFUSALS = [403, 404, 405, 501];

const warned = new WeakSet<Client>();

/**
 * The rules of an environment in their order; `undefined` where the service
 * refuses to list rules, which is told once (docs/assumptions.md, A130).
 */
export async function rulesInForce(
  { client, tell }: OperationContext,
  environment: string,
): Promise<readonly FilteringRule[] | undefined> {
  try {
    return await client.filteringRules.list({ environment });
  } catch (error) {
    if (!(error instanceof ServiceError && REFUSALS.includes(error.status)))
      throw error;
    if (!warned.has(client)) {
      warned.add(client);
      await tell(
        "warning",
        `${error.message} Filtering rule sets go on without it: what others change in them is not noticed.`,
      );
    }
    return undefined;
  }
}
