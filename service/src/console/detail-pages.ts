import type { Region } from "@devid/sdk";
import type { Delivery } from "../control/history-operations";
import type { DecidedVisit } from "../store/activity";
import { stateOf } from "./deliveries-section";
import { box, facts, header, page, time } from "./html/elements";
import { type MarkupPart, markup, type Markup } from "@devid/review/internals";
import { rulePlaygroundPath } from "./rule-playground/rule-playground-path";
import { resultOf } from "./visits-section";

/** All of one decision of the rules: the rule, the request, and the event. */
export function decisionPage(visit: DecidedVisit): Markup {
  const { workspace, environment, n, at, result } = visit;
  const { deny_with, rule, event_id } = visit;
  const href = `/console/decisions/${workspace}/${n}`;
  const decision = { environment, decision: String(n) };
  const why = rulePlaygroundPath(workspace, decision);
  return detailPage(
    `Decision ${n} of ${workspace}`,
    markup`${facts([
      ["Time", time(at)],
      ["Why", markup`<a href="${why}">each rule and its terms</a>`],
      ["Result", resultOf(result)],
      [
        "Rule",
        rule === null
          ? "no rule matched"
          : markup`<b>${rule.name}</b>: <code>${rule.expression}</code>`,
      ],
      ...(deny_with === null
        ? []
        : [["Answer", markup`403 and <code>${deny_with}</code>`] as const]),
    ])}
    ${box("Request, as rules see it", indented(visit.request), `${href}/request`)}
    ${
      event_id !== null &&
      visit.body !== null &&
      eventBox(workspace, event_id, visit.body)
    }`,
  );
}

/** One event. `body` is its JSON. */
export function eventPage(
  workspace: Region,
  event_id: string,
  body: string,
): Markup {
  const why = rulePlaygroundPath(workspace, { event: event_id });
  return detailPage(
    `Event ${event_id}`,
    markup`${facts([["Rules", markup`<a href="${why}">what they decide about it</a>`]])}
    ${eventBox(workspace, event_id, body)}`,
  );
}

function eventBox(workspace: string, event_id: string, body: string): Markup {
  const whole = `/console/events/${workspace}/${event_id}/json`;
  return box("Event", indented(body), whole);
}

/** One delivery: each attempt with its signature and its answer, and the body. */
export function deliveryPage({
  n,
  state,
  reason,
  body,
  attempts,
}: Delivery): Markup {
  return detailPage(
    `Delivery ${n}`,
    markup`<p>${stateOf(state)} ${reason}</p>
      ${attempts.map(attemptOf)}
      ${box("Body that is sent", body, `/console/deliveries/${n}/body`)}`,
  );
}

function attemptOf({
  attempt,
  retry,
  at,
  url,
  signature,
  took_ms,
  status,
  answer,
  error,
}: Delivery["attempts"][number]): Markup {
  return markup`<h3>Attempt ${attempt}${retry && ", a retry"}</h3>
    ${facts([
      ["Sent", markup`${time(at)} to <code>${url}</code>`],
      ["Signature", markup`<code>fpjs-event-signature: ${signature}</code>`],
      [
        "Answer",
        markup`${status ?? error ?? "none yet"}${took_ms !== null && ` after ${took_ms} ms`}`,
      ],
    ])}
    ${
      answer &&
      markup`<pre tabindex="0" role="group" aria-label="Answer ${attempt}">
${Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\n`)}
${answer.body}</pre>`
    }`;
}

/** A whole page. The console shows the content of its element `detail`. */
function detailPage(title: string, content: MarkupPart): Markup {
  return page(
    title,
    markup`${header("local service", markup`<a href="/">Console</a>`)}
      <main id="main">
        <h2>${title}</h2>
        <div id="detail">${content}</div>
      </main>`,
  );
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
