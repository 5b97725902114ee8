import { harmlessText } from "@devid/sdk/errors";

/**
 * Bytes. An error travels to the engine in HTTP/2 trailers. Node sends at most
 * 64 KiB of them; with larger ones the engine waits forever.
 */
export const LARGEST_TRAILERS = 60_000;

/** Characters. */
const LONGEST_MESSAGE = 10_000;

/**
 * A message that is short enough to travel, and harmless where the engine shows it. For half a surrogate pair, gRPC would send
 * neither the message nor the state with it.
 */
export const shortened = (message: string): string =>
  Buffer.from(
    harmlessText(
      message.length > LONGEST_MESSAGE
        ? `${message.slice(0, LONGEST_MESSAGE)}... (cut)`
        : message,
    ),
  ).toString();

/** The message of an error whose state does not fit into the trailers. */
export const withoutItsState = (message: string): string =>
  `${message}\nThe new state is too large to be sent with an error, so the stack keeps its old state. Run pulumi refresh --run-program before the next update. If the rule set is new, its state is lost: set takeOver: true as well.`;
