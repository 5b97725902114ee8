import * as pulumi from "@pulumi/pulumi";
import type { OutputMembers } from "./pulumi-members";

/** Everything that a resource's URN is made of. */
export interface ResourcePlace {
  readonly type: string;
  readonly name: string;
  readonly parent?: pulumi.Resource;
}

/** The URN of a resource. */
export const ownUrn = ({ name, type, parent }: ResourcePlace) =>
  valueOf(pulumi.createUrn(name, type, parent));

/** The value of an Output, without its dependencies. */
const valueOf = <T>(output: pulumi.Output<T>) =>
  (output as unknown as OutputMembers<T>).promise();

/**
 * The alias of a resource that had another type in the same place. For a whole URN
 * Pulumi makes fewer promises; below a parent, the URN depends on that parent.
 */
export function aliasOfType(
  type: string,
  name: string,
  parent: pulumi.Resource | undefined,
): pulumi.URN | pulumi.Alias {
  if (parent) return { type };
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}
