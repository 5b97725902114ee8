import { z } from "zod";
import type { Context } from "../context";
import { JsonText, operation, type Operation } from "../http/operation";
import { LoggedRequest } from "../http/request-log";
import { NumberedDecision } from "../store/decisions";
import { Delivery } from "../store/deliveries";

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
          .map((row) => store.deliveries.shown(row)),
    }),
  ];
}
