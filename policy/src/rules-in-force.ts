import { fromService } from "@devid/pulumi/rule-set-state";
import { DevidError, type Client } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import { isOutage } from "./service-access";

/** The rules that a change is compared with. */
export interface RulesInForce {
  /** None where they are not known. */
  readonly rules: readonly Rule[];
  /** Why they are not known. */
  readonly unknown?: string;
}

/**
 * The rules of an environment that are in force, where a management key may list
 * them.
 * @throws the errors of the client for a service that does not answer
 */
export async function rulesInForce(
  client: Client,
  environment: string | undefined,
): Promise<RulesInForce> {
  if (!client.configuration.managementKey)
    return { rules: [], unknown: "there is no management key to list them" };
  if (environment === undefined)
    return { rules: [], unknown: "there is no default environment" };
  try {
    const listed = await client.filteringRules.list({ environment });
    return { rules: fromService(listed) };
  } catch (error) {
    if (!(error instanceof DevidError) || isOutage(error)) throw error;
    return { rules: [], unknown: error.message };
  }
}
