import { z } from "zod";
import { fieldMeta, formsOf, oncePerSchema, partsOf, unwrap } from "./field";
import { Into, walk } from "./walk";

/**
 * Applies `wrap` to every part of a value that the schema marks as secret, at any
 * depth. If any form of a union has a secret, the whole value counts as secret. Absent
 * values stay absent.
 */
export const mapSecrets = (
  schema: z.ZodType,
  value: unknown,
  wrap: (secret: unknown) => unknown,
): unknown =>
  walk(schema, value, (part, at) => {
    if (part === undefined || part === null || !at || !holdsSecret(at))
      return part;
    const inner = unwrap(at);
    const isWalked =
      !fieldMeta(at).secret &&
      (inner instanceof z.core.$ZodArray
        ? Array.isArray(part)
        : inner instanceof z.core.$ZodObject && typeof part === "object");
    return isWalked ? new Into(part) : wrap(part);
  });

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
