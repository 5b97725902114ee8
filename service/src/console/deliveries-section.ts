import { attemptsOf, type Delivery } from "../control/history-operations";
import { badge, lastOf, more, short, table, time } from "./html/elements";
import { markup, type Markup } from "@devid/review/internals";
import type { Section } from "./section";

const SHOWN = 50;

type Attempt = Delivery["attempts"][number];

const TONES = {
  pending: "wait",
  sending: "wait",
  delivered: "good",
  failed: "bad",
  given_up: "bad",
  dropped: "plain",
} as const;

/** The deliveries to webhooks, and how they were answered. */
export const DELIVERIES_SECTION: Section = {
  id: "deliveries",
  title: "Webhook deliveries",
  render: ({ store }, regions) => {
    const found = store.deliveries.latest(regions, SHOWN + 1);
    if (found.length === 0)
      return markup`<p class="empty">
        Nothing has been delivered yet: events go to enabled, verified webhooks.
      </p>`;
    const rows = found
      .slice(0, SHOWN)
      .map((row) => ({ ...row, attempts: attemptsOf(store, row.seq) }));
    const deliveries = table(
      "Webhook deliveries",
      rows,
      [
        ["Made", ({ made_at }) => time(made_at)],
        ["Workspace", ({ workspace }) => workspace],
        [
          "Webhook",
          ({ webhook, attempts }) =>
            markup`<code>${webhook}</code>
              <small>${short(attempts.at(-1)?.url)}</small>`,
          "long",
        ],
        [
          "Event",
          ({ event_id, kind }) =>
            markup`<code>${event_id}</code>
              ${kind === "test" && badge("plain", "test event")}`,
        ],
        [
          "State",
          ({ state, due_at, attempts }) =>
            markup`${stateOf(state)}
            ${due_at !== null && attempts.length > 0 && markup`retry at ${time(due_at)}`}`,
        ],
        [
          "Answers",
          ({ attempts }) =>
            attempts
              .slice(-SHOWN_ATTEMPTS)
              .map((attempt) => markup`${answerOf(attempt)} `),
        ],
      ],
      ({ seq }) =>
        more(
          `delivery-${seq}`,
          "Signature and answer",
          `/console/deliveries/${seq}`,
          "The whole delivery",
        ),
    );
    if (found.length <= SHOWN) return deliveries;
    const [region] = regions;
    return markup`${deliveries}${lastOf(SHOWN, `/_local/${region}/deliveries`)}`;
  },
};

/** How many attempts a row shows; a service that is often killed makes more. */
const SHOWN_ATTEMPTS = 5;

/** The state of a delivery, as a badge. */
export function stateOf(state: Delivery["state"]): Markup {
  return badge(TONES[state], state === "given_up" ? "given up" : state);
}

/** What an attempt was answered, as a badge. */
function answerOf({ status, error }: Attempt): Markup {
  if (status !== null) return badge(status < 300 ? "good" : "bad", status);
  return error === null ? badge("wait", "waiting") : badge("bad", "no answer");
}
