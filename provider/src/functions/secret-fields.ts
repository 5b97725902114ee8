import * as pulumi from "@pulumi/pulumi";
import { withoutNulls } from "../definition/without-nulls";

/** A record whose named fields are Pulumi secrets. */
export type WithSecrets<Record, Name extends keyof Record> = Omit<
  Record,
  Name
> & {
  readonly [N in Name]?: pulumi.Output<NonNullable<Record[N]>>;
};

/** A record of the service with its named fields, where it has them, as Pulumi secrets; they show as `[secret]` and are encrypted in state. */
export function withSecrets<Record extends object, Name extends keyof Record>(
  record: Record,
  ...names: readonly Name[]
): WithSecrets<Record, Name> {
  const fields = Object.entries(withoutNulls(record)).map(
    ([name, value]: [string, unknown]) => [
      name,
      (names as readonly PropertyKey[]).includes(name)
        ? pulumi.secret(value)
        : value,
    ],
  );
  return Object.fromEntries(fields) as WithSecrets<Record, Name>;
}
