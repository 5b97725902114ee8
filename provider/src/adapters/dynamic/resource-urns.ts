import * as pulumi from "@pulumi/pulumi";

/** The type that resources of a kind have in state. */
export const resourceType = (kind: string) =>
  `pulumi-nodejs:dynamic/devid:${kind}`;

/** What tells a resource's URN, and the URNs that it had. */
export interface Place {
  readonly type: string;
  readonly name: string;
  readonly parent?: pulumi.Resource;
  readonly aliases?: readonly pulumi.Input<pulumi.URN | pulumi.Alias>[];
}

/**
 * The URN of a resource, then those of its aliases, its own and what its
 * parents' aliases make of them. They are promises, for an Output would make
 * whatever is derived from it depend on the parent and so on all its children.
 */
export function resourceUrns(place: Place): Promise<pulumi.URN[]> {
  const { name, type, parent } = place;
  const own = pulumi.createUrn(name, type, parent);
  return Promise.all([own, ...aliasUrns(place)].map(valueOf));
}

/** The members of a resource that Pulumi's declarations leave out. */
interface Ancestor {
  readonly __pulumiType: string;
  readonly __name: string;
  readonly __aliases?: readonly pulumi.Output<pulumi.URN>[];
  readonly __parentResource?: pulumi.Resource;
}

function aliasUrns({
  name,
  type,
  parent,
  aliases = [],
}: Place): pulumi.Output<pulumi.URN>[] {
  if (!parent)
    return pulumi.allAliases([...aliases], name, type, NO_PARENT, "");
  const ancestor = parent as unknown as Ancestor;
  // Pulumi's own function knows the parent's aliases, not those of its parents.
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

/** The stack as the parent, which URNs leave out; Pulumi reads only whether there is one. */
const NO_PARENT = "" as unknown as pulumi.Resource;

/** An Output's value now, without what it depends on. */
const valueOf = <T>(output: pulumi.Output<T>) =>
  (output as unknown as { promise(): Promise<T> }).promise();
