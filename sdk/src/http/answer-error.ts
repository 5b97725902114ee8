import { STATUS_CODES } from "node:http";
import * as z from "zod";
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ServerError,
  ServiceError,
  ThrottledError,
  UnauthorizedError,
  ValidationError,
  type ErrorFor,
} from "./errors";
import { ErrorBody } from "../wire/error-body";

/** `GET /visitors` of version 3 answers no more than a text (docs/assumptions.md, A66). */
const PlainErrorBody = z
  .object({ error: z.string() })
  .transform(({ error }): z.output<typeof ErrorBody> => ({
    error: { message: error },
  }));

const AnyErrorBody = z.union([ErrorBody, PlainErrorBody]);

/**
 * The named error for an error answer. A body that is not the service's own
 * (a proxy's page, say) leaves the status text as its message.
 * @param redact removes secrets from the answer's body
 * @param errorFor chooses the error; when it returns none, the status decides
 */
export function answerError(
  operation: string,
  answer: {
    readonly status: number;
    readonly text: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly retryAfterMs?: number;
    readonly attempts?: number;
    /** What the attempts and the pauses between them took. */
    readonly tookMs?: number;
  },
  redact: (text: string) => string,
  errorFor: ErrorFor = () => undefined,
): ServiceError {
  const { status, text, headers = {}, retryAfterMs, attempts } = answer;
  const body = readBody(text, redact);
  const details = {
    operation,
    status,
    code: body?.code ?? undefined,
    detail: body?.message ?? STATUS_CODES[status] ?? "unknown status",
    retryAfterMs,
    attempts,
    hint: retryHint(answer),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, redact(value)]),
    ),
  };
  const narrower = errorFor(details);
  if (narrower) return narrower;
  switch (status) {
    case 400:
    case 422:
      return new ValidationError({
        ...details,
        violations: body?.violations ?? [],
      });
    case 401:
      return new UnauthorizedError(details);
    case 403:
      return new ForbiddenError(details);
    case 404:
      return new NotFoundError(details);
    case 409:
      return new ConflictError(details);
    case 429:
      return new ThrottledError(details);
    default:
      return status >= 500
        ? new ServerError(details)
        : new ServiceError(details);
  }
}

/** How often a call was tried that the service was too busy for, and what helps. */
function retryHint({
  status,
  attempts = 1,
  tookMs = 0,
  retryAfterMs,
}: Parameters<typeof answerError>[1]): string | undefined {
  const seconds = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;
  const tries =
    attempts === 1
      ? "It was tried once."
      : `It was tried ${attempts} times in ${seconds(tookMs)}.`;
  if (status === 429)
    return (
      `${tries} Nothing was done, so it can be run again, ` +
      (retryAfterMs ? `after ${seconds(retryAfterMs)}` : "after a while") +
      `; all who use this key at the same time share one limit.`
    );
  return status >= 500 && attempts > 1 ? tries : undefined;
}

/** Redacts what was parsed, not the text: JSON may spell a secret with escapes. */
function readBody(text: string, redact: (text: string) => string) {
  try {
    const clean = (_: string, value: unknown) =>
      typeof value === "string" ? redact(value) : value;
    return AnyErrorBody.parse(JSON.parse(text, clean)).error;
  } catch {
    return undefined;
  }
}
