import { z } from "zod";
import { fieldMeta, formsOf, oncePerSchema, partsOf, unwrap } from "./field";
import { Into, walk } from "./walk";

/** Whether a schema, or any schema in it, is marked as secret. */
export const holdsSecret = oncePerSchema((schema): boolean => {
  const forms = formsOf(schema);
  return (
    [schema, ...forms].some((form) => fieldMeta(form).secret) ||
    forms.flatMap(partsOf).some(holdsSecret)
  );
});

/**
 * A value without the parts that its schema marks as secret, at any depth. Members
 * that the schema does not know are removed as well, since they may be secrets. What is
 * removed is undefined, also if that is the whole value.
 */
export const withoutSecrets = (
  schema: z.core.$ZodType,
  value: unknown,
): unknown =>
  walk(schema, value, (part, at) => {
    if (part === null || !at || fieldMeta(at).secret) return undefined;
    const inner = unwrap(at);
    if (inner instanceof z.core.$ZodUnion)
      return holdsSecret(inner) ? undefined : part;
    if (typeof part !== "object") return part;
    const isKnown =
      inner instanceof z.core.$ZodObject ||
      inner instanceof z.core.$ZodRecord ||
      (inner instanceof z.core.$ZodArray && Array.isArray(part));
    return isKnown ? new Into(part) : undefined;
  });
