import * as z from "zod";

/** One violation of a refused request, for example of `rules[2].expression`. */
export const Violation = z.object({
  property: z.string(),
  message: z.string(),
});

/** The body of an error, the same for all surfaces but one (docs/assumptions.md, A66). Only the management API lists violations. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().nullish(),
    message: z.string().nullish(),
    violations: z.array(Violation).nullish(),
  }),
});
