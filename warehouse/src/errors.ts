import { DevidError, tlsAdvice } from "@devid/sdk/errors";

/** The given source of events, mapping or label cannot be used; the message says what to give. */
export class EventSourceError extends DevidError {
  override readonly name = "EventSourceError";
}

/** An engine refused a query, or gave it up at one of its limits. */
export class WarehouseQueryError extends DevidError {
  override readonly name = "WarehouseQueryError";

  constructor(
    /**
     * The operation and its target: `Reading the events of ClickHouse at
     * https://ch.example`.
     */
    readonly operation: string,
    /** What the engine answered. */
    readonly answer: string,
    /** What to do about it. */
    advice = "",
  ) {
    const sentence = /[.!?]$/.test(answer) ? answer : `${answer}.`;
    super(
      `${operation} failed: ${advice === "" ? answer : `${sentence} ${advice}`}`,
    );
  }
}

/**
 * An engine could not be reached, or the connection broke. The name equals the name of
 * the client's error for the service, because commands end with exit code 3 for both.
 */
export class WarehouseUnreachableError extends DevidError {
  override readonly name = "UnreachableError";

  constructor(
    readonly operation: string,
    /** Code of the failure, such as `ECONNREFUSED`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(
      `${operation} failed: it could not be reached, or it went away (${code}). ${tlsAdvice(code) ?? "Check its address and the network; the command only reads, so it can be run again."}`,
      options,
    );
  }
}
