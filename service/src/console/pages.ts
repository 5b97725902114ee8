// The pages of the console, which are loaded for the first request for one of them, to
// keep the start short.
import { markup } from "@devid/rules/internals";
import { maskUrls, type Region, REGIONS } from "@devid/sdk/wire";
import type { Context } from "../context";
import type { DecidedVisit } from "../store/activity";
import type { DeliveryAttempt, Delivery } from "../store/deliveries";
import { facts, rulePlaygroundPath, time } from "./html";
import type { ConsolePage, Section } from "./html";
import { FEW, MOST, resultOf, stateOf, TABLES } from "./tables";

export { pageHtml, sectionText } from "./html";

/**
 * What happens in one workspace, or in all of them where `region` is undefined: the
 * console, or with `id` more rows of one of its tables. Undefined: there is no such table.
 */
export function consolePage(
  context: Context,
  region: Region | undefined,
  id?: string,
): ConsolePage | undefined {
  const regions = region === undefined ? REGIONS : [region];
  const one = TABLES.find((table) => table.id === id);
  if (id !== undefined && !one) return undefined;
  const path = one ? `/console/${one.id}` : "/";
  return {
    title: one ? `console: ${one.title}` : "console",
    region,
    of: (other) => (other ? `${path}?region=${other}` : path),
    sections: one
      ? [one.section(context, regions, MOST)]
      : TABLES.map((table) => table.section(context, regions, FEW)),
  };
}

/** The page of an address that leads to nothing, or no longer. */
export const MISSING: ConsolePage = {
  title: "not found",
  sections: [
    {
      id: "missing",
      title: "There is nothing here",
      content:
        "It was deleted, dropped from its log or erased by a reset, or never existed.",
    },
  ],
  isLive: false,
};

/** All of one decision of the rules: the rule, the request, and the event. */
export function decisionPage(visit: DecidedVisit): ConsolePage {
  const { workspace: region, environment, n, rule, deny_with, body } = visit;
  const begin = { environment, visit: `decision:${n}` };
  const why = rulePlaygroundPath(region, begin);
  const decided = facts({
    Time: time(visit.at),
    Why: markup`<a href="${why}">each rule and its terms</a>`,
    Result: resultOf(visit.result),
    Rule: rule
      ? markup`<b>${rule.name}</b>: <code>${maskUrls(rule.expression)}</code>`
      : "no rule matched",
    Answer: deny_with && markup`403 and <code>${deny_with}</code>`,
  });
  return {
    title: `decision ${n} of ${region}`,
    region,
    sections: [
      { id: "decision", title: "Decision", content: decided },
      {
        id: "request",
        title: "Request, as rules see it",
        text: indented(visit.request),
      },
      ...(body === null ? [] : [eventSection(body)]),
    ],
  };
}

/** One event. `body` is its JSON. */
export function eventPage(
  region: Region,
  id: string,
  body: string,
): ConsolePage {
  const why = rulePlaygroundPath(region, { visit: `event:${id}` });
  return {
    title: `event ${id}`,
    region,
    sections: [
      {
        ...eventSection(body),
        content: markup`<p><a href="${why}">What the rules decide about it</a></p>`,
      },
    ],
  };
}

const eventSection = (body: string): Section => ({
  id: "event",
  title: "Event",
  text: indented(body),
});

/** One delivery: each attempt with its signature and its answer, and the body. */
export function deliveryPage(delivery: Delivery): ConsolePage {
  const { n, reason, body, attempts } = delivery;
  const content = markup`<p>${stateOf(delivery)} ${reason}</p>`;
  return {
    title: `delivery ${n}`,
    sections: [
      { id: "state", title: "State", content },
      ...attempts.map(attemptSection),
      { id: "body", title: "Body that is sent", text: body },
    ],
  };
}

function attemptSection(made: DeliveryAttempt): Section {
  const { attempt, retry, at, url, signature, status, answer, error } = made;
  const took = made.took_ms === null ? "" : ` after ${made.took_ms} ms`;
  const headers = Object.entries(answer?.headers ?? {}).map(
    ([name, value]) => `${name}: ${String(value)}\n`,
  );
  return {
    id: `attempt-${attempt}`,
    title: `Attempt ${attempt}${retry ? ", a retry" : ""}`,
    content: facts({
      Sent: markup`${time(at)} to <code>${maskUrls(url)}</code>`,
      Signature: markup`<code>fpjs-event-signature: ${signature}</code>`,
      Answer: `${status ?? error ?? "none yet"}${took}`,
    }),
    ...(answer && { text: `${headers.join("")}\n${answer.body}` }),
  };
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
