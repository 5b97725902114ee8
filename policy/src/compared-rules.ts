import { readRulesInForce } from "@devid/pulumi/state";
import type { Rule } from "@devid/rules";
import { DevidError, type Client } from "@devid/sdk";
import { isOutage } from "./service-access";

/** The rules in force that a change is compared with. */
export interface ComparedRules {
  /** Empty if they are unknown. */
  readonly rules: readonly Rule[];
  readonly unknown?: string;
}

/**
 * Reads the rules in force of an environment. They stay unknown without a
 * management key, and if the service refuses to list them.
 * @throws the errors of the client for a service that does not answer
 */
export async function comparedRules(
  client: Client,
  environment: string | undefined,
): Promise<ComparedRules> {
  if (!client.configuration.managementKey)
    return { rules: [], unknown: "there is no management key to list them" };
  if (environment === undefined)
    return { rules: [], unknown: "there is no default environment" };
  try {
    return { rules: await readRulesInForce(client, environment) };
  } catch (error) {
    if (!(error instanceof DevidError) || isOutage(error)) throw error;
    return { rules: [], unknown: error.message };
  }
}
