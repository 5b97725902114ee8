import { z } from "zod";
import { fieldMeta, unwrap } from "./field";

/**
 * A value with everything in it that its schema marks as secret passed through
 * `wrap`. Members of objects and items of arrays are looked at. Where a form of
 * a union holds a secret, the whole value is one. What is absent is left alone.
 */
export function mapSecrets(
  schema: z.ZodType,
  value: unknown,
  wrap: (secret: unknown) => unknown,
): unknown {
  if (value === undefined || value === null || !holdsSecret(schema))
    return value;
  const inner = unwrap(schema);
  if (fieldMeta(schema).secret || inner instanceof z.ZodUnion)
    return wrap(value);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) =>
      mapSecrets(inner.element as z.ZodType, item, wrap),
    );
  if (inner instanceof z.ZodObject && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => {
        const field = inner.shape[name] as z.ZodType | undefined;
        return [name, field ? mapSecrets(field, member, wrap) : member];
      }),
    );
  return wrap(value);
}

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a schema marks anything within it as secret. */
export function holdsSecret(schema: z.ZodType): boolean {
  let holds = known.get(schema);
  if (holds === undefined) {
    holds = fieldMeta(schema).secret ?? parts(schema).some(holdsSecret);
    known.set(schema, holds);
  }
  return holds;
}

/** The schemas that a value's parts are held to. */
function parts(schema: z.ZodType): z.ZodType[] {
  const inner = unwrap(schema);
  const found =
    inner instanceof z.ZodObject
      ? Object.values(inner.shape)
      : inner instanceof z.ZodArray
        ? [inner.element]
        : inner instanceof z.ZodUnion
          ? inner.options
          : inner instanceof z.ZodRecord
            ? [inner.valueType]
            : [];
  return found as z.ZodType[];
}
