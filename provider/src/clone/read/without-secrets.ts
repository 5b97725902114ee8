import { z } from "zod";
import { fieldMeta, unwrap } from "../../definition/field";
import { holdsSecret } from "../../definition/map-secrets";

/**
 * A value without what its schema marks as secret, at any depth. Members that
 * the schema does not know go, too: nothing says whether they are secrets.
 * `undefined` where the whole is a secret, or may be one.
 */
export function withoutSecrets(
  schema: z.core.$ZodType,
  value: unknown,
): unknown {
  if (fieldMeta(schema as z.ZodType).secret) return undefined;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion)
    return holdsSecret(inner) ? undefined : value;
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutSecrets(inner.def.element, item));
  if (typeof value !== "object" || value === null) return value;
  if (!(inner instanceof z.ZodObject || inner instanceof z.ZodRecord))
    return undefined;
  const schemaOf = (name: string): z.core.$ZodType | undefined =>
    inner instanceof z.ZodObject
      ? (inner.def.shape[name] as z.core.$ZodType | undefined)
      : inner.def.valueType;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const field = schemaOf(name);
      const shown = field && withoutSecrets(field, member);
      return shown === undefined || shown === null ? [] : [[name, shown]];
    }),
  );
}
