import { z } from "zod";
import type { Context } from "../context";
import { JsonText, operation, type Operation } from "../http/operation";
import { LoggedRequest } from "../http/request-log";
import { NumberedDecision } from "../store/decisions";
import {
  type DeliveryAttempt,
  type AttemptRow,
  Delivery,
  type DeliveryRow,
} from "../store/deliveries";
import type { Store } from "../store/store";

/**
 * The query of the control calls that list what happened: `since` is the
 * highest number that the caller has seen.
 */
const Since = z.strictObject({
  since: z.preprocess(
    (value) =>
      typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    z.int().min(0).optional(),
  ),
});

/** The most decisions or deliveries in one answer. */
const MOST = 500;

/** The control calls that list what happened. */
export function historyOperations({ requestLog, store }: Context): Operation[] {
  return [
    operation({
      name: "listRequests",
      method: "GET",
      path: "/requests",
      summary: "List the requests so far, without control calls",
      description:
        "Keys are shown by their names. Status 0 means that nothing was answered.",
      query: Since,
      answer: z.array(LoggedRequest),
      run: ({ query }) => [...requestLog.since(query.since ?? 0)],
    }),
    operation({
      name: "listDecisions",
      method: "GET",
      path: "/:region/decisions",
      summary: "List what the filtering rules decided about each request",
      description: `Answers at most ${MOST} decisions, the first ones with an n above since. Decisions about denied requests are included. rule is the rule that decided; null means that no rule matched.`,
      query: Since,
      answer: z.array(NumberedDecision),
      run: ({ workspace, query: { since = 0 } }) =>
        new JsonText(
          JSON.stringify(store.decisions.since(workspace, since, MOST)),
        ),
    }),
    operation({
      name: "listDeliveries",
      method: "GET",
      path: "/:region/deliveries",
      summary: "List the deliveries to webhooks, those of test events included",
      description: `Answers at most ${MOST} deliveries, the first ones with an n above since. body is the text that is signed and sent. The first 4 KB of an answer are kept. reason says why a delivery was given up.`,
      query: Since,
      answer: z.array(Delivery),
      run: ({ workspace, query: { since = 0 } }) =>
        store.deliveries
          .since(workspace, since, MOST)
          .map((row) => deliveryOf(store, row)),
    }),
  ];
}

/** Turns a stored delivery into what control calls and the console show. */
export function deliveryOf(
  store: Store,
  { seq: n, workspace: _, made_at, due_at, ended_at: __, ...row }: DeliveryRow,
): Delivery {
  return {
    n,
    ...row,
    made_at: isoOf(made_at),
    due_at: due_at === null ? null : isoOf(due_at),
    attempts: attemptsOf(store, n),
  };
}

/** The attempts of a stored delivery, in their order. */
export function attemptsOf(
  { deliveries }: Store,
  n: number,
): Delivery["attempts"] {
  return deliveries.attempts(n).map(attemptOf);
}

function attemptOf({
  delivery: _,
  at,
  answer_headers: headers,
  answer_body: body,
  ...row
}: AttemptRow): DeliveryAttempt {
  return {
    ...row,
    retry: row.attempt > 1,
    at: isoOf(at),
    answer:
      headers === null
        ? null
        : {
            headers: JSON.parse(headers) as Record<string, unknown>,
            body: body ?? "",
          },
  };
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
