import { DRN_SIGNALS, DrnAnswer, type DrnSignal } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError, notFound } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { deviceActivity } from "./device-activity";
import { reputation, type DrnData } from "./reputation";

/** How far back activity counts. */
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

const Query = z.object({
  signals: z
    .string("is to be given once, with commas between several signals")
    .describe(`One or more of ${DRN_SIGNALS.join(", ")}, with commas between.`),
});

/** `GET /drn/{visitor_id}`: docs/contract.md, "GET /drn/{visitor_id}". */
export function reputationOperation({ clock, store }: Context): Operation {
  return operation({
    name: "getDeviceReputation",
    method: "GET",
    path: "/:visitor_id",
    summary: "Behaviour and risk of an Android device",
    query: Query,
    refuse: ([violation]) => invalidSignals(violation?.message ?? ""),
    status: 200,
    answer: DrnAnswer,
    run: async ({ id, query, signal }) => {
      const signals = signalsOf(query.signals);
      const endMs = clock.nowMs();
      const window = { startMs: endMs - WINDOW_MS, endMs };
      const row = store.drnRecords.get(id);
      const activity = await deviceActivity(store.events, id, window, signal);
      if (!row && !activity) throw notFound("Android device of visitor", id);
      const given = JSON.parse(row?.data ?? "{}") as DrnData;
      const isQuiet = row !== undefined && row.set_at < window.startMs;
      const { timestamps } = given;
      const current = isQuiet ? { timestamps } : given;
      return { data: reputation(signals, current, activity, window) };
    },
  });
}

/** Names that are not known are passed over while one is (docs/assumptions.md, A67). */
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
