import { maskUrls } from "../address";
import { tlsAdvice } from "./tls-advice";

/** What an error comes from: `ErrorOptions`, which `lib` before ES2022 does not have. */
export interface ErrorCause {
  readonly cause?: unknown;
}

/**
 * Base of every error that devid throws on purpose. `name` is a literal, so a
 * consumer can tell errors apart even when two copies of the package are loaded.
 * URLs in the message are shown without user-info and query.
 */
export abstract class DevidError extends Error {
  abstract override readonly name: string;

  constructor(message: string, options?: ErrorCause) {
    super(maskUrls(message), options);
  }
}

/** A member of every error of devid, also of errors of another copy of the package. */
export const DEVID_ERROR = Symbol.for("devid.error");
Object.defineProperty(DevidError.prototype, DEVID_ERROR, { value: true });

/** One refused property: its path as the service names it (`rules[2].expression`), and why. */
export interface Violation {
  readonly property: string;
  readonly message: string;
}

/** The configuration lacks a value, or holds one that cannot be used. */
export class ConfigurationError extends DevidError {
  override readonly name = "ConfigurationError";
}

/** The arguments of a call break a documented bound; nothing was sent. */
export class InvalidInputError extends DevidError {
  override readonly name = "InvalidInputError";

  // Arguments are checked before a client removes secrets from a text.
  readonly operation: string;
  readonly violations: readonly Violation[];

  /** @param outcome for messages: what became of the operation */
  constructor(
    operation: string,
    violations: readonly Violation[],
    outcome = "was not sent",
  ) {
    const listed = violations
      .map((v) => `\n  ${v.property}: ${v.message}`)
      .join("");
    super(`${operation} ${outcome}, because its input is invalid:${listed}`);
    this.operation = maskUrls(operation);
    this.violations = violations.map(({ property, message }) => ({
      property: maskUrls(property),
      message: maskUrls(message),
    }));
  }
}

/** No whole answer came: the connection failed or timed out until no retries were left. */
export class UnreachableError extends DevidError {
  override readonly name = "UnreachableError";

  constructor(
    readonly operation: string,
    readonly origin: string,
    /** Code of the last failure, such as `ECONNREFUSED`. */
    readonly code: string,
    readonly attempts: number,
    /** `isSent`: the last attempt had a connection. */
    options?: ErrorCause & { readonly isSent?: boolean },
  ) {
    const problem = options?.isSent
      ? "sent no whole answer"
      : "could not be reached";
    super(
      `${operation} failed: ${origin} ${problem} (${code}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}). ` +
        (tlsAdvice(code) ??
          "Check the configured endpoint, the network, and the proxy if HTTPS_PROXY names one; the call can safely be repeated."),
      options,
    );
  }
}

/**
 * A call that must not be repeated blindly was cut off, or failed with 5xx,
 * after it was sent: the service may have carried it out. Look before
 * repeating it.
 */
export class AmbiguousError extends DevidError {
  override readonly name = "AmbiguousError";

  constructor(
    readonly operation: string,
    /** The result instead of a clear answer: a failure's code, or `500 ...`. */
    readonly observed: string,
    options?: ErrorCause,
  ) {
    super(
      `${operation} got no clear answer (${observed}): the service may or may not have done it. ` +
        `The call was not repeated. Look in the workspace before you run it again.`,
      options,
    );
  }
}

/** A call took longer than its `timeoutMs`. It was not sent, or repeating it changes nothing more. */
export class CallTimeoutError extends DevidError {
  override readonly name = "CallTimeoutError";

  constructor(
    readonly operation: string,
    readonly timeoutMs: number,
    options?: ErrorCause,
  ) {
    super(
      `${operation} was given up after ${timeoutMs} ms, the timeoutMs of the call. ` +
        `It can safely be repeated, with a larger timeoutMs.`,
      options,
    );
  }
}

/** The service answered with success and a body that does not fit the contract, or with a redirect. */
export class UnexpectedAnswerError extends DevidError {
  override readonly name = "UnexpectedAnswerError";

  /** @param options `isRead`: the call changes nothing */
  constructor(
    readonly operation: string,
    readonly problem: string,
    options: ErrorCause & { readonly isRead: boolean },
  ) {
    super(
      `${operation} was answered in a form that devid does not know: ${problem.replace(/\.$/, "")}. ` +
        // The answer may be that of a gateway, which did not pass the call on.
        (options.isRead
          ? ""
          : "It is not known whether the service has done it. ") +
        `Check that the configured address is the address of the service, and that devid is up to date.`,
      options,
    );
  }
}

/** The members of a service error. Secrets are already removed from the text. */
export interface ServiceErrorDetails {
  /** The operation and its object: `Creating webhook https://a.example/hook`. */
  readonly operation: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** `error.code` of the answer, an opaque string; absent where the body had none. */
  readonly code?: string;
  /** `error.message` of the answer, or the status text. */
  readonly detail: string;
  /** What the reader can do next. */
  readonly hint?: string;
  /** Headers of the answer, their names in lower case, without cookies. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer's Retry-After asks for. */
  readonly retryAfterMs?: number;
  /** How often the call was tried. */
  readonly attempts?: number;
  /** Whether the answer, unless it is a 429, has no error of the service in it. */
  readonly isForeign?: boolean;
}

/** Headers with the ID of a request. The first one that an answer has counts. */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-amzn-requestid"];

/** Makes the error of an answer if a narrower class or a hint applies. */
export type ErrorFor = (
  details: ServiceErrorDetails,
) => ServiceError | undefined;

const FOREIGN =
  "The answer has no error of the service in it, so it may come from a proxy or gateway. Check the configured address and what stands between it and the service.";

/** The service answered with an error that no narrower class describes. */
export class ServiceError extends DevidError {
  override readonly name: string = "ServiceError";
  readonly operation: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;
  /** How often the call was tried. */
  readonly attempts: number;
  /** How long the service asks to wait; absent where it does not say. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether the answer has no error of the service in it. It may then come from a proxy or
   * gateway, which perhaps passed the call on before. A 429 counts as the service's own.
   */
  readonly isForeign: boolean;
  /** The answer's name in the logs of the service, for a question to its support. */
  readonly requestId: string | undefined;
  /** Headers of the answer, their names in lower case, without cookies. Not printed with the error. */
  declare readonly headers: Readonly<Record<string, string>>;

  constructor(details: ServiceErrorDetails) {
    const code = details.code ? ` ${details.code}` : "";
    const hints = [details.hint, details.isForeign && FOREIGN];
    const hint = hints.map((one) => (one ? ` ${one}` : "")).join("");
    super(
      `${details.operation} failed: ${details.status}${code}: ${details.detail}.`.replace(
        /([.!?])\.$/,
        "$1",
      ) + hint,
    );
    this.operation = details.operation;
    this.status = details.status;
    this.code = details.code;
    this.detail = details.detail;
    this.attempts = details.attempts ?? 1;
    this.retryAfterMs = details.retryAfterMs;
    this.isForeign = details.isForeign ?? false;
    const headers = details.headers ?? {};
    this.requestId = REQUEST_ID_HEADERS.map((name) => headers[name]).find(
      (id) => id !== undefined,
    );
    Object.defineProperty(this, "headers", { value: headers });
  }
}

/** 400: the service refused the request. `violations` is empty if it named no property. */
export class ValidationError extends ServiceError {
  override readonly name = "ValidationError";
  readonly violations: readonly Violation[];

  readonly #details: ServiceErrorDetails;

  constructor(
    details: ServiceErrorDetails & {
      readonly violations: readonly Violation[];
    },
  ) {
    const { violations, ...own } = details;
    const listed = violations
      .map((v) => `\n  ${v.property}: ${v.message}`)
      .join("");
    super({ ...own, detail: own.detail + listed });
    this.#details = own;
    this.violations = violations;
  }

  /** The same error with properties under other names. */
  renamed(rename: (property: string) => string): ValidationError {
    return new ValidationError({
      ...this.#details,
      violations: this.violations.map((violation) => ({
        ...violation,
        property: rename(violation.property),
      })),
    });
  }
}

/** 401: the key is missing, unknown or of another kind (docs/contract.md, "Authentication"). */
export class UnauthorizedError extends ServiceError {
  override readonly name = "UnauthorizedError";
}

/**
 * 403: the key is known but may not do this. The events API also answers so for a
 * missing key.
 */
export class ForbiddenError extends ServiceError {
  override readonly name = "ForbiddenError";
}

/** 404 with the service's own error: the object is not in this workspace. */
export class NotFoundError extends ServiceError {
  override readonly name = "NotFoundError";
}

/** 409: the object is not in a state that allows this. */
export class ConflictError extends ServiceError {
  override readonly name = "ConflictError";
}

/** 429: the rate limit is used up, and waiting longer was outside the retry budget. */
export class ThrottledError extends ServiceError {
  override readonly name = "ThrottledError";
}

/** 5xx: the service failed until no retries were left. */
export class ServerError extends ServiceError {
  override readonly name = "ServerError";
}
