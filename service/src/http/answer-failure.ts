import { maxHeaderSize } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyError, FastifyReply } from "fastify";
import { isDiskFull } from "../store/db";
import { AnswerError, MANAGEMENT_ERRORS } from "./answer-error";
import type { ErrorCode, ErrorFormat } from "./answer-error";

/** Answers a request that failed. An unexpected error is logged and answered with 500. */
export function answerFailure(
  error: unknown,
  reply: FastifyReply,
  format: ErrorFormat,
): void {
  const answer = error instanceof AnswerError ? error : translate(error, reply);
  void reply
    .code(answer.status)
    .headers(format.headersOf?.(answer) ?? {})
    .send(format.bodyOf(answer));
}

/** Requests that Fastify does not take, by the codes of its errors. */
const REFUSED: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is too large."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "The body has to be sent as application/json.",
  ],
};

function translate(error: unknown, reply: FastifyReply): AnswerError {
  const {
    code = "",
    statusCode = 500,
    message,
  } = error as Partial<FastifyError>;
  const refused = REFUSED[code];
  if (refused) return new AnswerError(...refused);
  if (statusCode >= 400 && statusCode < 500)
    return new AnswerError(
      "malformed_request",
      message ?? "The request is malformed.",
    );
  reply.log.error({ err: error }, "request failed");
  return new AnswerError(
    "internal_error",
    isDiskFull(error)
      ? "Nothing was stored, because the disk of the data file is full. Free some space and repeat the request."
      : "The local service failed; its log says why.",
  );
}

/** The longest URL and headers of a request, together. */
export const MAX_HEAD_BYTES = maxHeaderSize;

const NOT_HTTP = ["400 Bad Request", "This is not HTTP."] as const;

/** Other reasons why Node does not take a request, by the codes of its errors. */
const NOT_TAKEN: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    `The URL and the headers are together longer than ${MAX_HEAD_BYTES / 1024} KB.`,
  ],
  HPE_INVALID_URL: [
    "400 Bad Request",
    "The URL holds a character that has to be escaped, such as %C3%A9 for é.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The headers did not arrive in time.",
  ],
};

/**
 * Answers bytes that Node does not take as an HTTP request. Node's error holds those bytes,
 * and they may hold a key, so only the error's code is logged.
 */
export function answerGarbage(
  this: { readonly log: FastifyBaseLogger },
  { code = "" }: NodeJS.ErrnoException,
  socket: Socket,
): void {
  this.log.debug({ code }, "not an HTTP request");
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = NOT_TAKEN[code] ?? NOT_HTTP;
  const error = new AnswerError("malformed_request", message);
  const text = JSON.stringify(MANAGEMENT_ERRORS.bodyOf(error));
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
