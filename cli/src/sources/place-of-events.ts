import { UsageError } from "../errors";
import { configuredClient } from "./configured-client";
import { environmentPlace, type EnvironmentPlace } from "./live-rules";
import type { NamedRuleSet } from "./rule-set-source";

/**
 * The environment whose events are read: the user's choice, then the preview's
 * environment, then the default environment.
 * @throws UsageError when the environment of the preview is not there yet
 */
export async function placeOfEvents(
  sets: readonly NamedRuleSet[],
  flags: { readonly environment?: string; readonly region?: string },
): Promise<EnvironmentPlace> {
  const environments = sets.map(({ environment }) => environment);
  const client = configuredClient(flags);
  if (flags.environment === undefined && environments.includes("not known yet"))
    throw new UsageError(
      "The update that the preview shows creates the environment, so it has no past events. Choose the environment whose events to use with --environment.",
    );
  const previewed = environments.find((place) => typeof place === "object");
  return environmentPlace(client, flags.environment ?? previewed?.id);
}
