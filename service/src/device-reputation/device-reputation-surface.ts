import {
  DRN_API_VERSION,
  DRN_SIGNALS,
  type DrnSignal,
  SERVER_OPERATIONS,
} from "@devid/sdk/wire/events";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, CodeAndMessage, notFound } from "../http/answer-error";
import type { ErrorFormat } from "../http/answer-error";
import { secretKeyOf } from "../http/caller";
import { operation, type Operation } from "../http/operation";
import type { Surface } from "../http/surface";
import type { ApiKeyRow } from "../store/schema";
import { deviceActivity, type DrnData, reputation } from "./reputation";

/**
 * The device reputation (DRN) API (docs/contract.md, "Device reputation (DRN)
 * API"). One address serves all regions.
 */
export function drnSurface(context: Context): Surface {
  return {
    name: "drn",
    prefix: "/drn",
    operations: [reputationOperation(context)],
    errors: [400, 401, 403, 429],
    errorFormat: DRN_ERRORS,
    takesAnyType: true,
    takesKey: true,
    apiVersion: DRN_API_VERSION,
    guard: (request) => context.rateLimiter.take("drn", authenticate(request)),
  };
}

function authenticate({ caller }: FastifyRequest): ApiKeyRow {
  const key = secretKeyOf(caller);
  if (key) return key;
  throw new AnswerError(
    "secret_key_not_found",
    caller === undefined
      ? "Send the header Authorization: Bearer <secret API key>."
      : "This is not an enabled secret API key.",
  );
}

/** The span of time before now in which activity counts. */
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/** `GET /drn/{visitor_id}`: docs/contract.md, "GET /drn/{visitor_id}". */
function reputationOperation({ clock, store }: Context): Operation {
  const { method, path, summary, answer, query } =
    SERVER_OPERATIONS.getDeviceReputation;
  const once = "is to be given once, with commas between several signals";
  return operation({
    ...{ name: "getDeviceReputation", method, summary, answer },
    path: path.replace("/drn", ""),
    query: z.object({
      signals: z.string(once).describe(query.signals.matches),
    }),
    refuse: ([violation]) => invalidSignals(violation?.message ?? ""),
    run: async ({ id, query, signal }) => {
      const signals = signalsOf(query.signals);
      const endMs = clock.nowMs();
      const window = { startMs: endMs - WINDOW_MS, endMs };
      const set = store.reputations.get("all", id);
      const activity = await deviceActivity(store.events, id, window, signal);
      if (set === undefined && !activity)
        throw notFound("Android device of visitor", id);
      const { data = {}, setAtMs = endMs } = JSON.parse(set ?? "{}") as {
        readonly data?: DrnData;
        readonly setAtMs?: number;
      };
      const { timestamps } = data;
      const current = setAtMs < window.startMs ? { timestamps } : data;
      return { data: reputation(signals, current, activity, window) };
    },
  });
}

/**
 * The signals that a query names. Unknown names are ignored as long as one name
 * is known (docs/assumptions.md, A67).
 */
function signalsOf(text: string): DrnSignal[] {
  const names = text.split(",");
  const signals = DRN_SIGNALS.filter((signal) => names.includes(signal));
  if (signals.length === 0)
    throw invalidSignals(
      `holds none of ${DRN_SIGNALS.join(", ")}; several are separated by commas`,
    );
  return signals;
}

function invalidSignals(problem: string): AnswerError {
  return new AnswerError("invalid_signals_parameter", `signals ${problem}.`);
}

/** `{error: {code, message}}` (docs/contract.md, "DRN errors"). */
const DRN_ERRORS: ErrorFormat = {
  schema: CodeAndMessage,
  bodyOf: ({ code, message }) => ({
    error: { code: code === "not_found" ? "http.not_found" : code, message },
  }),
};
