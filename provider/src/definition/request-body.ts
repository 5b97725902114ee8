import { camelKeys, type CamelKeys } from "@devid/sdk/wire";
import type { z } from "zod";

/** What a call of the client takes, by the wire schema of its body. */
type Body<S extends z.ZodObject> = CamelKeys<z.input<S>>;

/** The body of a call: the inputs that its wire schema has and the program declares. */
export function bodyOf<S extends z.ZodObject>(
  schema: S,
  inputs: object,
): Body<S> {
  const fields = camelKeys(schema.shape);
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([name, value]) => name in fields && value !== undefined,
    ),
  ) as Body<S>;
}

/**
 * The body of an update: the changed inputs that its wire schema has; undefined where
 * none of them changed. An input that the program no longer declares is null, which
 * clears it, where the service takes null.
 */
export function changesOf<S extends z.ZodObject>(
  schema: S,
  inputs: Readonly<Record<string, unknown>>,
  changed: ReadonlySet<string>,
): Body<S> | undefined {
  const fields = Object.entries(camelKeys(schema.shape)) as [
    string,
    z.ZodType,
  ][];
  const own = fields.flatMap(([name, field]) => {
    if (!changed.has(name)) return [];
    const cleared = field.safeParse(null).success ? null : undefined;
    return [[name, inputs[name] ?? cleared]];
  });
  return own.length > 0 ? (Object.fromEntries(own) as Body<S>) : undefined;
}
