import type * as pulumi from "@pulumi/pulumi";
import { runError } from "./program-errors";

/** Kinds that exist once in each environment. */
const ONE_PER_ENVIRONMENT = ["EncryptionKey", "FilteringRuleSet"];

/**
 * Refuses options of Pulumi that do not work for a kind. @throws RunError that says
 * what to do instead
 */
export function refuseOptions(
  kind: string,
  name: string,
  { deletedWith, replaceOnChanges = [] }: pulumi.CustomResourceOptions,
): void {
  const title = `The ${kind} "${name}"`;
  // The encryption key always goes with its environment.
  if (deletedWith !== undefined && kind !== "EncryptionKey")
    throw runError(
      `${title} has the option deletedWith. Pulumi would drop it from the state without deleting it, and an environment is not deleted while it has objects. Leave deletedWith out: Pulumi deletes what refers to an environment before the environment.`,
    );
  if (replaceOnChanges.length > 0 && ONE_PER_ENVIRONMENT.includes(kind))
    throw runError(
      `${title} has the option replaceOnChanges, but it cannot be replaced, because its environment has exactly one from the start. Leave the option out: an update can change everything.`,
    );
}
