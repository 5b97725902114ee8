import { z } from "zod";

/** Page size of a list: 0 to 101, 10 when left out. */
export const PageLimit = z.int().min(0).max(101);

/** One violation of a refused request, for example of `rules[2].expression`. */
export const Violation = z.object({
  property: z.string(),
  message: z.string(),
});

/** The body of every management error. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().nullish(),
    message: z.string().nullish(),
    violations: z.array(Violation).nullish(),
  }),
});

/** `metadata.pagination` with either spelling of the cursors. */
export const Pagination = z.object({
  next_cursor: z.string().nullish(),
  prev_cursor: z.string().nullish(),
});
