import { ErrorBody, type Violation } from "@devid/sdk/wire";
import { z } from "zod";
import { ServiceError } from "../service-errors";

/** What is wrong with one property, such as `rules[2].expression`. */
export type Violation = z.output<typeof Violation>;

/**
 * Each value of `error.code` with its HTTP status. The codes of the management
 * API are our own choice (docs/assumptions.md, A5 and A86). Those of the events
 * API and of the DRN API are published (docs/contract.md, "Events errors" and
 * "DRN errors"). Version 3 translates them into its own spelling.
 */
const STATUS_OF = {
  malformed_request: 400,
  validation_error: 400,
  unsupported_version: 400,
  limit_reached: 400,
  request_cannot_be_parsed: 400,
  ruleset_not_found: 400,
  invalid_signals_parameter: 400,
  unauthorized: 401,
  secret_key_not_found: 401,
  forbidden: 403,
  subscription_not_active: 403,
  public_api_key_not_found: 403,
  secret_api_key_required: 403,
  secret_api_key_not_found: 403,
  wrong_region: 403,
  feature_not_enabled: 403,
  workspace_key_required: 403,
  not_found: 404,
  event_not_found: 404,
  visitor_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  environment_in_use: 409,
  state_not_ready: 409,
  version_ended: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  quota_used_up: 429,
  internal_error: 500,
  gateway_timeout: 504,
} as const;

/** A value of `error.code`. */
export type ErrorCode = keyof typeof STATUS_OF;

/**
 * Ends a request with an error answer in the format of its surface. The caller
 * reads the message, so it must never hold a key, nor input that may hold one.
 */
export class AnswerError extends ServiceError {
  readonly name = "AnswerError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly violations?: readonly Violation[],
  ) {
    super(message);
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

/**
 * The error for a record that does not exist, or belongs to another workspace.
 */
export function notFound(kind: string, id: string): AnswerError {
  return new AnswerError("not_found", `There is no ${kind} ${id}.`);
}

/** The error that lists everything that is wrong with a request. */
export function invalid(violations: readonly Violation[]): AnswerError {
  const list = violations
    .map(({ property, message }) => `${property}: ${message}`)
    .join("; ");
  return new AnswerError("validation_error", list, violations);
}

/** An error of a surface whose errors have a code and a message alone. */
export const CodeAndMessage = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
});

/** The form in which a surface sends its errors. */
export interface ErrorFormat {
  /** The schema of an error, for the OpenAPI document. */
  readonly schema: z.ZodType;
  readonly bodyOf: (error: AnswerError) => unknown;
  /** Headers of an error, in addition to those of its surface. */
  readonly headersOf?: (error: AnswerError) => Readonly<Record<string, string>>;
}

/**
 * `{error: {code, message, violations?}}` (docs/contract.md, "Envelopes and
 * errors"). Requests outside of every surface get errors in this form too.
 */
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
