import { readFile } from "node:fs/promises";
import type { Region } from "@devid/sdk";
import {
  IdentificationAnswer,
  IdentificationBody,
  IdentificationErrorBody,
} from "../agent/identification-wire";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, type ErrorFormat } from "../http/answer-error";
import { inRegion } from "../http/caller";
import { operation, type Operation } from "../http/operation";
import type { RateLimiter } from "../http/rate-limiter";
import { regionOf } from "../http/request-path";
import type { Surface } from "../http/surface";
import { newEventId } from "../identity";
import { packageFile } from "../package-files";
import { EVENT_ERRORS, refuseBody } from "../server-api/event-errors";
import type { ApiKeyRow } from "../store/schema";
import { identify } from "./identify";
import { canonicalHeaders, pairsOf, plainAddress } from "./visit";

/**
 * The addresses that the browser agent calls (docs/contract.md, "Agent
 * addresses"). Web pages of any origin may call them; the filtering rules
 * decide which of them are served.
 */
export function agentSurface(context: Context): Surface {
  return {
    name: "agent",
    prefix: "/:region/web/v4",
    operations: [agentScript(), identifyOperation(context)],
    errors: [400, 403, 429],
    errorFormat: errorsOf(context),
    takesAnyType: true,
    // A browser that kept the script would not notice a newer service.
    headers: { "cache-control": "no-cache" },
    takesKey: false,
    takesPages: true,
    tokenOf: keyInPath,
    guard: (request) => admitCaller(context, request),
  };
}

/** The key of a path. Preflights and methods that the path does not have are on the route `/*`. */
function keyInPath({ params }: FastifyRequest): string | undefined {
  const { public_key: key, "*": rest } = params as Record<string, string>;
  return key ?? (rest?.includes("/") ? undefined : rest);
}

/**
 * The errors of the events API, each with an event ID of its own, under which
 * nothing is stored. A denied request gets the published code whose message is
 * `forbidden` (docs/assumptions.md, A75).
 */
function errorsOf({ clock }: Context): ErrorFormat {
  return {
    schema: IdentificationErrorBody,
    bodyOf: ({ code, message }) => ({
      ...(EVENT_ERRORS.bodyOf(
        new AnswerError(
          code === "forbidden" ? "subscription_not_active" : code,
          message,
        ),
      ) as IdentificationErrorBody),
      event_id: newEventId(clock.nowMs()),
    }),
  };
}

function admitCaller({ rateLimiter }: Context, request: FastifyRequest): void {
  const region = regionOf(request);
  if (region === undefined || request.method !== "POST") return;
  const { caller } = request;
  admit(
    rateLimiter,
    region,
    caller?.kind === "api-key" ? caller.key : undefined,
  );
}

/**
 * `GET /{region}/web/v4/{publicKey}`: the agent as an ES module that pages
 * import (docs/contract.md, "Agent addresses"). The script is served for any key. The
 * key is checked in the requests that the agent sends.
 */
const agentScript = () =>
  operation({
    name: "agentScript",
    method: "GET",
    path: "/:public_key",
    summary: "Get the browser agent",
    description:
      "An ES module for web pages. It sends its requests to the address that it was loaded from, which holds the key.",
    contentType: "text/javascript; charset=utf-8",
    answer: z.string(),
    run: () => readFile(packageFile("./browser-agent/script.mjs"), "utf8"),
  });

/** `POST /{region}/web/v4/{publicKey}`, which the browser agent calls. */
function identifyOperation(context: Context): Operation {
  return operation({
    name: "identify",
    method: "POST",
    path: "/:public_key",
    summary: "Identify the visitor of a page",
    description:
      "The browser agent sends this request. The filtering rules in force are evaluated on it; when they deny it, the answer is 403 with deny_with as its message.",
    body: IdentificationBody,
    refuse: refuseBody,
    answer: IdentificationAnswer,
    run: ({ workspace, caller, body, rawHeaders, ip }) => {
      // The guard of the surface refuses every other caller.
      if (caller?.kind !== "api-key") throw new Error("No key was admitted.");
      return identify(context, workspace, {
        key: caller.key,
        headers: canonicalHeaders(pairsOf(rawHeaders)),
        ip: plainAddress(ip),
        sent: body,
      });
    },
  });
}

/**
 * Checks the public key of a request: it has to be enabled, of this region and
 * within its own rate (docs/assumptions.md, A160). Throws AnswerError.
 */
export function admit(
  rateLimiter: RateLimiter,
  region: Region,
  key: ApiKeyRow | undefined,
): ApiKeyRow {
  if (key?.type !== "public" || key.status !== "enabled")
    throw new AnswerError(
      "public_api_key_not_found",
      "This is not an enabled public API key.",
    );
  rateLimiter.take("agent", inRegion(key, region));
  return key;
}
