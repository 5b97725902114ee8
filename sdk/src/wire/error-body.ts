import * as z from "zod";

/** One violation of a refused request, for example of `rules[2].expression`. */
export const Violation = z.object({
  property: z.string(),
  message: z.string(),
});

/** The body of an error, the same for all surfaces. Only the management API lists violations. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string().nullish(),
    message: z.string().nullish(),
    violations: z.array(Violation).nullish(),
  }),
});

/** The body of an error with no member that the service is not known to send. */
export const StrictErrorBody = z.strictObject({
  error: z.strictObject(ErrorBody.shape.error.shape),
});

/** The error of a gateway may be only a text, as that of `GET /visitors` of version 3 is. */
const PlainErrorBody = z
  .object({ error: z.string() })
  .transform(({ error }): z.output<typeof ErrorBody> => ({
    error: { message: error },
  }));

/** The body of an error of any surface. */
export const AnyErrorBody = z.union([ErrorBody, PlainErrorBody]);
