import { DevidError } from "@devid/sdk";
import { IncompleteError } from "../../definition/incomplete-error";
import { toWire } from "./wire";

/**
 * Bytes. The host answers errors in HTTP/2 trailers; Node sends no more than
 * 64 KiB of them, and what is larger leaves the engine waiting for ever.
 */
const LARGEST_TRAILERS = 60_000;

const LONGEST_MESSAGE = 10_000;

/**
 * An error in the form that Pulumi's dynamic provider host takes. One about an
 * object that exists and is not yet as declared has its id and its state, which
 * the engine keeps; a state that is too large stays behind.
 */
export function toHostError(error: unknown, __provider: unknown): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  if (cause instanceof DevidError) printShortly(cause);
  if (cause.message.length > LONGEST_MESSAGE)
    cause.message = `${cause.message.slice(0, LONGEST_MESSAGE)}... (cut)`;
  if (!(cause instanceof IncompleteError)) return cause;
  const { message, outputs } = cause;
  const properties = { ...toWire({ ...outputs }), __provider };
  if (trailersOf(message, properties) > LARGEST_TRAILERS)
    return new Error(
      `${message}\nThe state is too large to come with an error and was left as it was: run pulumi refresh before the next update. A new rule set, which the state does not have yet, then needs takeOver: true.`,
    );
  return Object.assign(cause, { properties, reasons: [message] });
}

/**
 * The host prints an error with its stack, too, though the engine shows it with
 * its resource. One of ours says all in its message, and is not said twice.
 */
function printShortly(error: DevidError): void {
  // One error may be about several resources, and then comes more than once.
  Object.defineProperty(error, "toString", {
    value: () => error.name,
    configurable: true,
  });
  error.stack = "it stands with its resource.";
}

/** Roughly, from above: the message escaped, and in base64 the message twice and the state in protobuf. */
function trailersOf(message: string, properties: object): number {
  const text = Buffer.byteLength(message);
  const state = Buffer.byteLength(JSON.stringify(properties));
  return 3 * text + (4 / 3) * (2 * text + 2 * state);
}
