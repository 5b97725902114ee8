import * as pulumi from "@pulumi/pulumi";
import type { OutputMembers, ResourceMembers } from "./pulumi-members";

/** Everything that a resource's URN is made of, and its aliases. */
export interface ResourcePlace {
  readonly type: string;
  readonly name: string;
  readonly parent?: pulumi.Resource;
  readonly aliases?: readonly pulumi.Input<pulumi.URN | pulumi.Alias>[];
}

/**
 * The URN of a resource, followed by the URNs that it may have had: those of its
 * own aliases and those that follow from its parents' aliases. They are promises,
 * because an Output would make everything derived from it depend on the parent,
 * and so on all of the parent's children.
 */
export function resourceUrns(place: ResourcePlace): Promise<pulumi.URN[]> {
  const { name, type, parent } = place;
  const own = pulumi.createUrn(name, type, parent);
  return Promise.all([own, ...aliasUrns(place)].map(valueOf));
}

/** The URN of a resource. */
export const ownUrn = ({ name, type, parent }: ResourcePlace) =>
  valueOf(pulumi.createUrn(name, type, parent));

function aliasUrns({
  name,
  type,
  parent,
  aliases = [],
}: ResourcePlace): pulumi.Output<pulumi.URN>[] {
  if (!parent)
    return pulumi.allAliases([...aliases], name, type, NO_PARENT, "");
  const ancestor = parent as unknown as ResourceMembers;
  // Pulumi's own function uses the parent's aliases and ignores those further up.
  const inherited = aliasUrns({
    name: ancestor.__name,
    type: ancestor.__pulumiType,
    parent: ancestor.__parentResource,
    aliases: ancestor.__aliases,
  });
  const complete = Object.create(parent, {
    __aliases: { value: inherited },
  }) as pulumi.Resource;
  return pulumi.allAliases([...aliases], name, type, complete, ancestor.__name);
}

/** Stands for the stack as the parent, which a URN leaves out. Pulumi only tests whether it is truthy. */
const NO_PARENT = "" as unknown as pulumi.Resource;

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
