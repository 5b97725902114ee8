import { z } from "zod";
import type { ErrorFormat } from "../http/error-format";

/** `{error: {code, message}}` (docs/contract.md, "DRN errors"). */
export const DRN_ERRORS: ErrorFormat = {
  schema: z.object({
    error: z.object({ code: z.string(), message: z.string() }),
  }),
  bodyOf: ({ code, message }) => ({
    error: { code: code === "not_found" ? "http.not_found" : code, message },
  }),
};
