import { UsageError } from "../errors";
import { configuredClient } from "./configured-client";
import { environmentPlace } from "./live-rules";
import { PastEvents } from "./past-events";
import type { NamedRuleSet } from "./rule-set-source";
import type { WarehouseFlags } from "./warehouse-events";

/**
 * The past events of the environment of two rule sets: the user's choice, then the
 * preview's environment, then the default environment.
 * @throws UsageError when the environment of the preview is not there yet
 */
export async function eventsOf(
  sets: readonly NamedRuleSet[],
  flags: WarehouseFlags & {
    readonly environment?: string;
    readonly region?: string;
  },
): Promise<PastEvents> {
  const environments = sets.map(({ environment }) => environment);
  const client = configuredClient(flags);
  if (flags.environment === undefined && environments.includes("not known yet"))
    throw new UsageError(
      "The update that the preview shows creates the environment, so it has no past events. Choose the environment whose events to use with --environment.",
    );
  const previewed = environments.find((place) => typeof place === "object");
  const { environment } = flags;
  const place = await environmentPlace(client, environment ?? previewed?.id);
  return new PastEvents(client, flags, place, environment !== undefined);
}
