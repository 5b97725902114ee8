/** Kinds of resources that policies look at. */
export type Kind = "ApiKey" | "EncryptionKey" | "FilteringRuleSet" | "Webhook";

/** What the types of all our resources start with. */
export const DEVID_PREFIX = "pulumi-nodejs:dynamic/devid:";

/** The type of the stack itself; the engine asks about it once, before everything else. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/** The type of a resource in the engine's view. */
export function resourceType(kind: Kind): string {
  return DEVID_PREFIX + kind;
}
