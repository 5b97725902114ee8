import type { FastifyRequest } from "fastify";
import { AnswerError } from "../http/answer-error";
import { secretKeyOf } from "../http/caller";
import { regionOf } from "../http/request-path";
import type { ApiKeyRow } from "../store/schema";

/**
 * The secret API key of a request; it has to belong to the region in the path
 * (docs/contract.md, "Events authentication"). `header` says in a message how a
 * key is sent. Throws AnswerError.
 */
export function authenticate(
  request: FastifyRequest,
  header: string,
): ApiKeyRow {
  const { caller } = request;
  const region = regionOf(request);
  if (caller === undefined)
    throw new AnswerError(
      "secret_api_key_required",
      `Send the header ${header}.`,
    );
  const key = secretKeyOf(caller);
  if (!key)
    throw new AnswerError(
      "secret_api_key_not_found",
      "This is not an enabled secret API key.",
    );
  if (key.workspace !== region)
    throw new AnswerError(
      "wrong_region",
      `wrong region: the key belongs to the workspace in region ${key.workspace}`,
    );
  return key;
}
