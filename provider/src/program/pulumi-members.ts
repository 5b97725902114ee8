import * as pulumi from "@pulumi/pulumi";

/** The members of an Output that Pulumi's declarations leave out. */
export interface OutputMembers<T = unknown> {
  readonly isKnown: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<T>;
}

/** The members of a resource that Pulumi's declarations leave out. */
export interface ResourceMembers {
  readonly __pulumiType: string;
  readonly __name: string;
  readonly __aliases?: readonly pulumi.Output<pulumi.URN>[];
  readonly __parentResource?: pulumi.Resource;
}

/** A value of the program; undefined where a preview does not know it. */
export async function knownValue(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as unknown as OutputMembers;
  return (await output.isKnown) ? output.promise() : undefined;
}
