import type * as http from "./http/errors";
import { DEVID_ERROR, type DevidError } from "./http/errors";
import type { UnsealError } from "./sealed-results/sealed-results";
import type * as server from "./server-api/errors";
import type { WebhookError } from "./webhooks/webhooks";

export { parseUrl } from "./address";
export { fileProblem } from "./file-problem";
export { harmlessText } from "./harmless-text";
export * from "./http/errors";
export { distance } from "./http/nearest";
export { tlsAdvice } from "./http/tls-advice";
export * from "./server-api/errors";

/** The errors of a module that have a name of their own. */
type ErrorsIn<M> = {
  [N in keyof M]: M[N] extends abstract new (...given: never[]) => infer E
    ? E extends { name: infer Name }
      ? string extends Name
        ? never
        : E
      : never
    : never;
}[keyof M];

/** Every error of devid whose name says what happened. */
type NamedError =
  | ErrorsIn<typeof http>
  | ErrorsIn<typeof server>
  | UnsealError
  | WebhookError;

/** Name of an error of devid. */
export type DevidErrorName = NamedError["name"];

/**
 * Whether a thrown value is an error of devid and, if a name is given, has this name. It
 * also recognises errors of another copy of the package, for which `instanceof` fails.
 *
 * @example
 * if (isDevidError(error, "ThrottledError")) await wait(error.retryAfterMs ?? 1_000);
 */
export function isDevidError(error: unknown): error is DevidError;
export function isDevidError<N extends DevidErrorName>(
  error: unknown,
  name: N,
): error is Extract<NamedError, { readonly name: N }>;
export function isDevidError(error: unknown, name?: string): boolean {
  return (
    error instanceof Error &&
    DEVID_ERROR in error &&
    (name === undefined || error.name === name)
  );
}

/**
 * Whether an error is an error answer of the service. Such an error has the answer's
 * `status`, `code`, `headers`, `requestId` and `retryAfterMs`.
 *
 * @example
 * if (isServiceError(error)) console.log(error.status, error.requestId);
 */
export function isServiceError(error: unknown): error is http.ServiceError {
  return isDevidError(error) && "status" in error;
}

/** The errors after which the same call may succeed later. */
const OUTAGES = [
  "UnreachableError",
  "CallTimeoutError",
  "ServerError",
  "ThrottledError",
  "SearchTimeoutError",
] as const;

/** Whether an error means that the service does not answer at present. */
export const isOutage = (
  error: unknown,
): error is Extract<NamedError, { readonly name: (typeof OUTAGES)[number] }> =>
  OUTAGES.some((name) => isDevidError(error, name));
