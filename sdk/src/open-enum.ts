import { z } from "zod";

/**
 * An enumeration as read from the service: the documented values are named,
 * and a value that the service adds later is kept instead of failing the read.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(
  values: V,
) {
  return z.union([
    z.enum(values),
    z.string() as unknown as z.ZodType<string & Record<never, never>>,
  ]);
}
