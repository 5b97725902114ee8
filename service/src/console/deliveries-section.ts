import { type Delivery, deliveryOf } from "../control/history-operations";
import { badge, more, table, time } from "./elements";
import { html, type Html } from "./html";
import type { Section } from "./section";

const SHOWN = 30;

type Attempt = Delivery["attempts"][number];

const TONES = {
  pending: "wait",
  sending: "wait",
  delivered: "good",
  failed: "bad",
  dropped: "plain",
} as const;

/**
 * The deliveries to webhooks, with their signatures and the answers to them.
 */
export const DELIVERIES_SECTION: Section = {
  id: "deliveries",
  title: "Webhook deliveries",
  render: ({ store }, regions) => {
    const rows = store.deliveries
      .latest(regions, SHOWN)
      .map((row) => ({ ...deliveryOf(store, row), region: row.workspace }));
    if (rows.length === 0)
      return html`<p class="empty">
        Nothing has been delivered yet: events go to enabled, verified webhooks.
      </p>`;
    return table(
      "Webhook deliveries",
      rows,
      [
        ["Made", ({ made_at }) => time(made_at)],
        ["Workspace", ({ region }) => region],
        [
          "Webhook",
          ({ webhook, attempts }) =>
            html`<code>${webhook}</code>
              <small>${attempts.at(-1)?.url}</small>`,
        ],
        [
          "Event",
          ({ event_id, kind }) =>
            html`<code>${event_id}</code>
              ${kind === "test" && badge("plain", "test event")}`,
        ],
        [
          "State",
          ({ state, due_at, attempts }) =>
            html`${badge(TONES[state], state)}
            ${due_at !== null && attempts.length > 0 && html`retry at ${time(due_at)}`}`,
        ],
        [
          "Answers",
          ({ attempts }) =>
            attempts.map(
              (attempt) =>
                html`${badge(toneOf(attempt), attempt.status ?? (attempt.error === null ? "waiting" : "no answer"))} `,
            ),
        ],
      ],
      (row) => more(`delivery-${row.n}`, "Signature and answer", details(row)),
    );
  },
};

function details({ body, attempts }: Delivery): Html {
  return html`${attempts.map(
      ({
        attempt,
        retry,
        at,
        url,
        signature,
        took_ms,
        status,
        answer,
        error,
      }) =>
        html`<h4>Attempt ${attempt}${retry && ", a retry"}</h4>
          <dl>
            <div>
              <dt>Sent</dt>
              <dd>${time(at)} to <code>${url}</code></dd>
            </div>
            <div>
              <dt>Signature</dt>
              <dd><code>fpjs-event-signature: ${signature}</code></dd>
            </div>
            <div>
              <dt>Answer</dt>
              <dd>
                ${status ?? error ?? "none yet"}${took_ms !== null && ` after ${took_ms} ms`}
              </dd>
            </div>
          </dl>
          ${
            answer &&
            html`<pre tabindex="0" aria-label="Answer">
${Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\n`)}
${answer.body}</pre>`
          }`,
    )}
    <h4>Body that is sent</h4>
    <pre tabindex="0" aria-label="Body">${body}</pre>`;
}

function toneOf({ status, error }: Attempt) {
  if (status === null) return error === null ? "wait" : "bad";
  return status < 300 ? "good" : "bad";
}
