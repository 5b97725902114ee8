import type * as pulumi from "@pulumi/pulumi";
import {
  IGNORE_CHANGES,
  REPLACE_ON_CHANGES,
} from "../definition/host-protocol";
import { runError } from "./program-errors";

/** What the refused options of a kind depend on. */
export interface KindOptions {
  readonly kind: string;
  /** Whether the service deletes the object with its environment. */
  readonly goesAlong?: boolean;
  /** Whether each environment has exactly one such object from the start. */
  readonly onePerEnvironment?: boolean;
}

/** The options of Pulumi that a kind may refuse, or that the provider must know. */
type GivenOptions = Pick<
  pulumi.CustomResourceOptions,
  "deletedWith" | "replaceOnChanges" | "ignoreChanges"
>;

/**
 * The properties that give the provider options which Pulumi does not pass to it, or
 * only later than the check.
 */
export const toldOptions = ({
  replaceOnChanges = [],
  ignoreChanges = [],
}: GivenOptions): Readonly<Record<string, string[]>> => ({
  ...(replaceOnChanges.length > 0 && {
    [REPLACE_ON_CHANGES]: replaceOnChanges,
  }),
  ...(ignoreChanges.length > 0 && { [IGNORE_CHANGES]: ignoreChanges }),
});

/**
 * Refuses options of Pulumi that do not work for a kind. @throws RunError that says
 * what to do instead
 */
export function refuseOptions(
  { kind, goesAlong = false, onePerEnvironment = false }: KindOptions,
  name: string,
  { deletedWith, replaceOnChanges = [] }: GivenOptions,
): void {
  const title = `The ${kind} "${name}"`;
  if (deletedWith !== undefined && !goesAlong)
    throw runError(
      `${title} has the option deletedWith. Pulumi would drop it from the state without deleting it, and an environment is not deleted while it has objects. Leave deletedWith out: Pulumi deletes what refers to an environment before the environment.`,
    );
  if (replaceOnChanges.length > 0 && onePerEnvironment)
    throw runError(
      `${title} has the option replaceOnChanges, but it cannot be replaced, because its environment has exactly one from the start. Leave the option out: an update can change everything.`,
    );
}
