import { STATUS_CODES } from "node:http";
import type * as z from "zod";
import * as errors from "./errors";
import type { ErrorFor, ServiceError } from "./errors";
import { AnyErrorBody, StrictErrorBody } from "../wire/error-body";

/**
 * The named error for an error answer. If the body is not the service's own (a proxy's
 * page, for example), the status text is the message, `isForeign` is true, and a 404 is a
 * plain ServiceError: a proxy does not know which objects there are.
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
    /** Duration of the attempts and the pauses between them. */
    readonly tookMs?: number;
  },
  redact: (text: string) => string,
  errorFor: ErrorFor = () => undefined,
): ServiceError {
  const { status, text, headers = {}, retryAfterMs, attempts } = answer;
  const body = readBody(text, redact);
  const isForeign = status !== 429 && !isFromService(answer, body);
  const details = {
    operation,
    status,
    code: body?.code ?? undefined,
    detail: body?.message ?? STATUS_CODES[status] ?? "unknown status",
    retryAfterMs,
    attempts,
    isForeign,
    hint: retryHint(answer),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, redact(value)]),
    ),
  };
  if (status === 404 && isForeign)
    return new errors.ServiceError({ ...details, hint: FOREIGN_404 });
  const narrower = errorFor(details);
  if (narrower) return narrower;
  if (status === 400 || status === 422)
    return new errors.ValidationError({
      ...details,
      violations: body?.violations ?? [],
    });
  // The management API sends a code and a message, and no other service's members
  // (docs/contract.md, "Envelopes and errors", and docs/assumptions.md, A6).
  if (
    status === 404 &&
    (details.code === undefined || !body?.hasOnlyKnownMembers)
  )
    return new errors.ServiceError({
      ...details,
      ...{ isForeign: true, hint: FOREIGN_404 },
    });
  const named =
    BY_STATUS[status] ??
    (status >= 500 ? errors.ServerError : errors.ServiceError);
  return new named(details);
}

const BY_STATUS: Readonly<Record<number, typeof errors.ServiceError>> = {
  401: errors.UnauthorizedError,
  403: errors.ForbiddenError,
  404: errors.NotFoundError,
  409: errors.ConflictError,
  429: errors.ThrottledError,
};

const FOREIGN_404 = "The answer does not show whether the object exists.";

/** Types of bodies that can hold the service's JSON. A test double may send plain text. */
const JSON_OR_TEXT = /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/plain)\b/i;

/** Whether an error answer is the service's own and not that of a proxy or a gateway. */
function isFromService(
  { headers }: Pick<Parameters<typeof answerError>[1], "headers">,
  body: z.output<typeof AnyErrorBody>["error"] | undefined,
): boolean {
  const type = headers?.["content-type"];
  return (
    typeof body?.message === "string" &&
    (type === undefined || JSON_OR_TEXT.test(type))
  );
}

/** For 429 and 5xx: how often the call was tried, and what helps. */
function retryHint({
  status,
  attempts = 1,
  tookMs = 0,
  retryAfterMs,
}: Parameters<typeof answerError>[1]): string | undefined {
  const seconds = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`;
  const tries =
    attempts === 1
      ? "The call was tried once."
      : `The call was tried ${attempts} times in ${seconds(tookMs)}.`;
  const after = retryAfterMs ? `, after ${seconds(retryAfterMs)}` : "";
  if (status === 429)
    return `${tries} It can be run again${after || ", after a while"}. All programs that use this key share one rate limit.`;
  return status >= 500 && (attempts > 1 || after !== "")
    ? `${tries} It can safely be repeated${after}.`
    : undefined;
}

/** Characters of the longest error of the service. A gateway may answer more, whose redaction would take a minute. */
const LONGEST_ERROR = 2 ** 20;

/** Redacts what was parsed, not the text: JSON may spell a secret with escapes. */
function readBody(text: string, redact: (text: string) => string) {
  if (text.length > LONGEST_ERROR) return undefined;
  try {
    const clean = (_: string, value: unknown) =>
      typeof value === "string" ? redact(value) : value;
    const parsed: unknown = JSON.parse(text, clean);
    return {
      ...AnyErrorBody.parse(parsed).error,
      hasOnlyKnownMembers: StrictErrorBody.safeParse(parsed).success,
    };
  } catch {
    return undefined;
  }
}
