import { DevidError } from "@devid/sdk";
import { IncompleteError } from "../../definition/errors";
import { LARGEST_TRAILERS, shortened, withoutItsState } from "../error-limits";
import { toHost, type HostProperties } from "../../definition/host-protocol";

/**
 * Turns an error into the form that Pulumi's dynamic provider host takes. An
 * IncompleteError carries the object's ID and state, which the engine keeps. A state
 * that is too large for the trailers is left out, and the message says so.
 */
export function toHostError(error: unknown, hidden: HostProperties): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  if (cause instanceof DevidError) shortenPrint(cause);
  const short = shortened(cause.message);
  // The message of some errors, such as a DOMException, cannot be set.
  if (short !== cause.message) cause.message = short;
  if (!(cause instanceof IncompleteError)) return cause;
  const { message, outputs } = cause;
  const properties = { ...toHost({ ...outputs }), ...hidden };
  if (trailersOf(message, properties) > LARGEST_TRAILERS)
    return new Error(withoutItsState(message));
  return Object.assign(cause, { properties, reasons: [message] });
}

/**
 * Shortens what the host prints. The engine shows the error's message with its
 * resource; the host prints the error again with its stack.
 */
function shortenPrint(error: DevidError): void {
  // The same error may come once for each of several resources.
  Object.defineProperty(error, "toString", {
    value: () => error.name,
    configurable: true,
  });
  error.stack = "the message is shown with its resource.";
}

/** An upper bound: the escaped message, and in base64 the message twice and the state as protobuf. */
function trailersOf(message: string, properties: object): number {
  const text = Buffer.byteLength(message);
  const state = Buffer.byteLength(JSON.stringify(properties));
  return 3 * text + (4 / 3) * (2 * text + 2 * state);
}
