import type { Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { AnswerError } from "./answer-error";
import { MANAGEMENT_ERRORS } from "./error-format";

/**
 * Answers what is no HTTP request. The error that Node gives holds the raw
 * bytes, tokens included, so only its code is logged.
 */
export function answerGarbage(
  this: { readonly log: FastifyBaseLogger },
  { code }: NodeJS.ErrnoException,
  socket: Socket,
): void {
  this.log.debug({ code }, "not an HTTP request");
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = new AnswerError("malformed_request", "This is not HTTP.");
  const text = JSON.stringify(MANAGEMENT_ERRORS.bodyOf(error));
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
