import type { z } from "zod";

/**
 * Messages of refused input where zod's own speak of types and not of what to
 * do; the others stay as they are. Pass it as `error` when parsing.
 */
export const issueMessage: z.core.$ZodErrorMap = (issue) =>
  issue.input === undefined &&
  (issue.code === "invalid_type" || issue.code === "invalid_value")
    ? "is required"
    : undefined;
