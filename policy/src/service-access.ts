import {
  connect,
  SECRET_TEXT,
  settingSources,
  UNKNOWN_TEXT,
} from "@devid/pulumi/state";
import {
  VisitorNotFoundError,
  type Client,
  type DeviceReputation,
  type DeviceReputationOptions,
  type Event,
  type EventSearchAllArgs,
} from "@devid/sdk";
import { z } from "zod";
import type { DeclaredResource } from "./declared-resource";

/** The setting for the case that the service does not answer. */
export const WhenUnreachable = z
  .enum(["fail", "advise"])
  .default("fail")
  .describe(
    "What happens where the service cannot be reached, or does not answer in time: `fail` is a violation, `advise` lets the policy pass and `not-checked` tell it.",
  );

/**
 * A client of a resource's workspace, or of the stack's default workspace. Its
 * settings come from the explicit provider or from stack config, and then from the
 * environment. A pack cannot read encrypted stack config, so keys come from the
 * environment or from an explicit provider.
 * @throws ConfigurationError
 */
export function clientOf({
  provider,
}: Pick<DeclaredResource, "provider">): Client {
  const sources = settingSources(
    (name) => {
      const value = provider[name];
      if (
        value === undefined ||
        value === SECRET_TEXT ||
        value === UNKNOWN_TEXT
      )
        return undefined;
      return typeof value === "string" ? value : JSON.stringify(value);
    },
    { unreadable: "A policy pack cannot read encrypted stack config." },
  );
  return connect(sources);
}

/**
 * The events of the workspace that a resource or the stack belongs to, newest first.
 *
 * @example
 * for await (const event of eventsOf(stack, { start: anHourAgo, bot: "bad" })) count++;
 */
export function eventsOf(
  resource: Pick<DeclaredResource, "provider">,
  search: EventSearchAllArgs = {},
): AsyncIterable<Event> {
  return clientOf(resource).events.searchAll(search);
}

/**
 * The reputation of a visitor's device (docs/policies.md, "Policies of your own");
 * undefined if the service has none. Only Android devices have a reputation.
 *
 * @example
 * const reputation = await reputationOf(stack, visitorId);
 * const highest = reputation?.suspectScore?.maximum.value;
 */
export async function reputationOf(
  resource: Pick<DeclaredResource, "provider">,
  visitorId: string,
  options: DeviceReputationOptions = {},
): Promise<DeviceReputation | undefined> {
  try {
    return await clientOf(resource).deviceReputation.get(visitorId, options);
  } catch (error) {
    if (error instanceof VisitorNotFoundError) return undefined;
    throw error;
  }
}
