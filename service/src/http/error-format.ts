import { ErrorBody } from "@devid/sdk/wire";
import type { z } from "zod";
import type { AnswerError } from "./answer-error";

/** How a surface spells its errors. */
export interface ErrorFormat {
  /** For the OpenAPI document. */
  readonly schema: z.ZodType;
  readonly bodyOf: (error: AnswerError) => unknown;
}

/** `{error: {code, message, violations?}}` (docs/contract.md, "Envelopes and errors"). Paths of no surface are answered in it too. */
export const MANAGEMENT_ERRORS: ErrorFormat = {
  schema: ErrorBody,
  bodyOf: ({ code, message, violations }): z.input<typeof ErrorBody> => ({
    error: {
      code,
      message,
      ...(violations && { violations: [...violations] }),
    },
  }),
};
