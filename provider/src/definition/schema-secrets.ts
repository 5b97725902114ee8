import { z } from "zod";
import { fieldMeta, unwrap } from "./field";

/**
 * Applies `wrap` to every part of a value that the schema marks as secret, at any
 * depth. If any form of a union has a secret, the whole value counts as secret. Absent
 * values stay absent.
 */
export function mapSecrets(
  schema: z.ZodType,
  value: unknown,
  wrap: (secret: unknown) => unknown,
): unknown {
  if (value === undefined || value === null || !holdsSecret(schema))
    return value;
  const inner = unwrap(schema);
  if (fieldMeta(schema).secret || inner instanceof z.core.$ZodUnion)
    return wrap(value);
  if (inner instanceof z.core.$ZodArray && Array.isArray(value))
    return value.map((item) =>
      mapSecrets(inner._zod.def.element as z.ZodType, item, wrap),
    );
  if (inner instanceof z.core.$ZodObject && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => {
        const field = inner._zod.def.shape[name] as z.ZodType | undefined;
        return [name, field ? mapSecrets(field, member, wrap) : member];
      }),
    );
  return wrap(value);
}

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a schema, or any schema in it, is marked as secret. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  let holds = known.get(schema);
  if (holds === undefined) {
    holds = fieldMeta(schema).secret ?? parts(schema).some(holdsSecret);
    known.set(schema, holds);
  }
  return holds;
}

/** The schemas of a value's members, items or forms. */
function parts(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const inner = unwrap(schema);
  const found =
    inner instanceof z.core.$ZodObject
      ? Object.values(inner._zod.def.shape)
      : inner instanceof z.core.$ZodArray
        ? [inner._zod.def.element]
        : inner instanceof z.core.$ZodUnion
          ? inner._zod.def.options
          : inner instanceof z.core.$ZodRecord
            ? [inner._zod.def.valueType]
            : [];
  return found;
}

/**
 * A value without the parts that its schema marks as secret, at any depth. Members
 * that the schema does not know are removed as well, since they may be secrets.
 * @returns undefined if the whole value is, or may be, a secret
 */
export function withoutSecrets(
  schema: z.core.$ZodType,
  value: unknown,
): unknown {
  if (fieldMeta(schema).secret) return undefined;
  const inner = unwrap(schema);
  if (inner instanceof z.core.$ZodUnion)
    return holdsSecret(inner) ? undefined : value;
  if (inner instanceof z.core.$ZodArray && Array.isArray(value))
    return value.map((item) => withoutSecrets(inner._zod.def.element, item));
  if (typeof value !== "object" || value === null) return value;
  if (!(
    inner instanceof z.core.$ZodObject || inner instanceof z.core.$ZodRecord
  ))
    return undefined;
  const schemaOf = (name: string): z.core.$ZodType | undefined =>
    inner instanceof z.core.$ZodObject
      ? inner._zod.def.shape[name]
      : inner._zod.def.valueType;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const field = schemaOf(name);
      const shown = field && withoutSecrets(field, member);
      return shown === undefined || shown === null ? [] : [[name, shown]];
    }),
  );
}
