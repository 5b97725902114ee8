import type { ErrorBody, Violation } from "@devid/sdk/management/wire";
import type { z } from "zod";
import { ServiceError } from "../service-error";

/** What was wrong with one property, such as `rules[2].expression`. */
export type Violation = z.output<typeof Violation>;

/**
 * `error.code` and the status it goes with; the codes are our own choice
 * (docs/assumptions.md, A5 and A86).
 */
const STATUS_OF = {
  malformed_request: 400,
  validation_error: 400,
  unsupported_version: 400,
  limit_reached: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  environment_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
} as const;

/** A value of `error.code`. */
export type ErrorCode = keyof typeof STATUS_OF;

/**
 * Ends a request with an error answer (docs/contract.md, "Envelopes and
 * errors"). The message goes to the caller: never a token, nor input that may
 * hold one.
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

  /** The body of the answer. */
  get body(): z.input<typeof ErrorBody> {
    const { code, message, violations } = this;
    return {
      error: {
        code,
        message,
        ...(violations && { violations: [...violations] }),
      },
    };
  }
}

/** The record that the path names is not there, or belongs to another workspace. */
export function notFound(kind: string, id: string): AnswerError {
  return new AnswerError("not_found", `There is no ${kind} ${id}.`);
}

/** Everything that is wrong with a request, at once. */
export function invalid(violations: readonly Violation[]): AnswerError {
  const list = violations
    .map(({ property, message }) => `${property}: ${message}`)
    .join("; ");
  return new AnswerError("validation_error", list, violations);
}
