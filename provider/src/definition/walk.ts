import { z } from "zod";
import { formsOf, partOf } from "./field";

/** What a visit returns to have the parts of a value visited, too. */
export class Into {
  constructor(readonly value: object) {}
}

/** Visits a part; `schema` is undefined where the schema of the whole does not know it. */
export type Visit = (
  part: unknown,
  schema: z.core.$ZodType | undefined,
  path: readonly PropertyKey[],
) => unknown;

/**
 * The only walker over a schema and a value. Each part is replaced by what its visit
 * returns: another value, or `Into` the members and items that are visited next.
 */
export function walk(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  visit: Visit,
  path: readonly PropertyKey[] = [],
): unknown {
  const found = visit(value, schema, path);
  if (!(found instanceof Into)) return found;
  const inner = found.value;
  const form =
    schema &&
    formsOf(schema).find((one) =>
      Array.isArray(inner)
        ? one instanceof z.core.$ZodArray
        : one instanceof z.core.$ZodObject || one instanceof z.core.$ZodRecord,
    );
  const part = (item: unknown, name: PropertyKey) =>
    walk(form && partOf(form, name), item, visit, [...path, name]);
  if (Array.isArray(inner)) return inner.map(part);
  return Object.fromEntries(
    Object.entries(inner).map(([name, item]) => [name, part(item, name)]),
  );
}
