import { z } from "zod";
import { fieldMeta, formsOf, partOf, partsOf, unwrap } from "./field";
import { mapParts } from "./value";

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
  if (!holdsSecret(schema)) return value;
  return mapParts(value, (part, path) => {
    const at = schemaAt(schema, path);
    if ((part ?? undefined) === undefined || !at || !holdsSecret(at))
      return part;
    const inner = unwrap(at);
    const isWalked =
      !fieldMeta(at).secret &&
      (inner instanceof z.core.$ZodArray
        ? Array.isArray(part)
        : inner instanceof z.core.$ZodObject && typeof part === "object");
    return isWalked ? part : wrap(part);
  });
}

const schemaAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]) =>
  path.reduce<z.core.$ZodType | undefined>(
    (at, name) => at && partOf(at, name),
    schema,
  );

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a schema, or any schema in it, is marked as secret. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  let holds = known.get(schema);
  if (holds === undefined) {
    const forms = formsOf(schema);
    holds =
      [schema, ...forms].some((form) => fieldMeta(form).secret) ||
      forms.flatMap(partsOf).some(holdsSecret);
    known.set(schema, holds);
  }
  return holds;
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
  if (
    !(inner instanceof z.core.$ZodObject || inner instanceof z.core.$ZodRecord)
  )
    return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const field = partOf(inner, name);
      const shown = field && withoutSecrets(field, member);
      return shown === undefined || shown === null ? [] : [[name, shown]];
    }),
  );
}
