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

/**
 * Messages of refused input where zod's own speak of types and not of what to
 * do; the others stay as they are. Pass it as `error` when parsing.
 */
export const issueMessage: z.core.$ZodErrorMap = (issue) =>
  issue.input === undefined &&
  (issue.code === "invalid_type" || issue.code === "invalid_value")
    ? "is required"
    : undefined;
