import {
  DRN_API_VERSION,
  DRN_SIGNALS,
  type DrnRecord,
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
import type { DeviceActivity, Window } from "../store/device-activity";
import type { ApiKeyRow } from "../store/schema";

/** The `data` of an answer, or a part of it. */
type DrnData = z.output<typeof DrnRecord>;

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
    run: ({ id, query }) => {
      const signals = signalsOf(query.signals);
      const endMs = clock.nowMs();
      const window = { startMs: endMs - WINDOW_MS, endMs };
      const set = store.reputations.get("all", id);
      const activity = store.events.ofDevice(id, window);
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
 * The requested signals of a device (docs/contract.md, "DRN record"). Each comes from
 * a control call. Without one it comes from the stored events. Without events it is
 * the documented empty state (docs/assumptions.md, A70).
 */
function reputation(
  signals: readonly DrnSignal[],
  given: DrnData,
  activity: DeviceActivity | undefined,
  { startMs, endMs }: Window,
): DrnData {
  const dates = { startDate: date(startMs), endDate: date(endMs) };
  const { countries = [], leastScore = 0, greatestScore = 0 } = activity ?? {};
  const total = countries.reduce((sum, { events }) => sum + events, 0);
  const known: DrnData = {
    regionalActivity: {
      ...dates,
      countries: countries.map(({ code, events }) => ({
        code,
        detectors: [{ type: "ip", activityPercentage: events / total }],
      })),
    },
    // The weights of signals and the percentile stay empty: the service knows neither
    // weights nor other devices to compare with.
    suspectScore: {
      ...dates,
      minimum: { value: leastScore, signals: {} },
      maximum: { value: greatestScore, percentile: 0, signals: {} },
    },
    timestamps: activity && {
      firstSeenAt: date(activity.firstSeenMs),
      lastSeenAt: date(activity.lastSeenMs),
    },
  };
  return Object.fromEntries(
    signals.map((signal) => {
      const name = MEMBERS[signal];
      return [name, given[name] ?? known[name]];
    }),
  );
}

/** The member of an answer for each signal. */
const MEMBERS = {
  regional_activity: "regionalActivity",
  suspect_score: "suspectScore",
  timestamps: "timestamps",
} as const satisfies Record<DrnSignal, keyof DrnData>;

/** A time in UTC, to the second. */
function date(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
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
