import type { FastifyRequest } from "fastify";
import { serveAgent } from "../agent/serve-agent";
import type { Context } from "../context";
import { EVENT_ERRORS } from "../events/event-errors";
import { regionOf } from "../http/region-of";
import type { Surface } from "../http/surface";
import { admit } from "./admit";
import { identifyOperation } from "./identify-operation";

/**
 * What the browser agent talks to (docs/contract.md, "Agent addresses"). Pages
 * of any origin may call; who is served is for the filtering rules to say.
 */
export function agentSurface(context: Context): Surface {
  return {
    name: "agent",
    prefix: "/:region/web/v4",
    operations: [serveAgent(), identifyOperation(context)],
    errors: [400, 403, 429],
    errorFormat: EVENT_ERRORS,
    takesKey: false,
    takesPages: true,
    tokenOf: ({ params }) =>
      (params as { readonly public_key?: string }).public_key,
    guard: (request) => admitCaller(context, request),
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
