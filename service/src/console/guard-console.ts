import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context";
import { refuseWebPages } from "../control/refuse-web-pages";
import { AnswerError } from "../http/answer-error";

/**
 * Lets nobody see the console who may not make control calls. With a keys file
 * that takes its `controlKey`: as bearer token, or as the password that a
 * browser asks for, with any name. Throws AnswerError.
 */
export function guardConsole(
  { host, keys: { controlKey } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  refuseWebPages(request, host);
  if (controlKey === undefined || request.caller?.kind === "control") return;
  if (passwordOf(request) === controlKey) return;
  reply.header("www-authenticate", 'Basic realm="devid", charset="UTF-8"');
  throw new AnswerError(
    "unauthorized",
    "The console takes the controlKey of the keys file as password, with any user name.",
  );
}

function passwordOf({ headers }: FastifyRequest): string | undefined {
  const [, coded = ""] =
    /^basic +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  return /^[^:]*:(.*)$/s.exec(Buffer.from(coded, "base64").toString())?.[1];
}
