import type { Event } from "@devid/sdk";
import { browserDetails } from "../identification/browser-details";
import type { VisitRow } from "../store/records/activity";
import { badge, more, table, time } from "./elements";
import { html, type Html } from "./html";
import type { Section } from "./section";

const SHOWN = 30;

/** The request that the rules were evaluated on, as a decision keeps it. */
interface Asked {
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly ip?: string;
  readonly userAgent?: string;
}

/** A visit with everything that is stored about it. */
interface Visit extends Omit<VisitRow, "rule" | "request" | "body"> {
  readonly rule: { readonly name: string; readonly expression: string } | null;
  readonly asked: Asked;
  readonly event: Event | undefined;
}

/**
 * Requests for identification: the rule that allowed or denied each, and the
 * event that it led to.
 */
export const VISITS_SECTION: Section = {
  id: "visits",
  title: "Live events",
  render: ({ store }, regions) => {
    const visits = store.activity.visits(regions, SHOWN).map(visitOf);
    if (visits.length === 0)
      return html`<p class="empty">
        No event yet. Open a playground above, or a page of your own that loads
        the agent.
      </p>`;
    return table(
      "Live events",
      visits,
      [
        ["Time", ({ at }) => time(at)],
        ["Workspace", ({ workspace }) => workspace],
        [
          "Result",
          ({ result }) =>
            result === null
              ? badge("plain", "stored")
              : result === "allow"
                ? badge("good", "let in")
                : badge("bad", "refused"),
        ],
        ["Rule", ruleOf],
        [
          "Page",
          ({ event, asked }) =>
            event?.url ??
            asked.headers?.["Origin"]?.[0] ??
            event?.package_name ??
            event?.bundle_id,
        ],
        ["Visitor", visitorOf],
        ["From", fromOf],
      ],
      details,
    );
  },
};

function visitOf({ rule, request, body, ...row }: VisitRow): Visit {
  // The service wrote these texts itself.
  return {
    ...row,
    rule: JSON.parse(rule ?? "null") as Visit["rule"],
    asked: JSON.parse(request ?? "{}") as Asked,
    event: body === null ? undefined : (JSON.parse(body) as Event),
  };
}

function ruleOf({ decision, rule }: Visit): Html {
  if (decision === null) return html`a control call`;
  if (rule === null) return html`no rule matched`;
  return html`<b>${rule.name}</b>`;
}

function visitorOf({ event }: Visit): Html | undefined {
  if (event === undefined) return undefined;
  const { identification, suspect_score: score, bot } = event;
  return html`<code>${identification?.visitor_id}</code>
    ${identification?.visitor_found === true && badge("plain", "known")}
    ${(bot === "bad" || bot === "good") && badge("wait", `${bot} bot`)}
    ${(score ?? 0) > 0 && badge("wait", `suspect ${score}`)}`;
}

function fromOf({ event, asked }: Visit): Html | undefined {
  const userAgent = event?.user_agent ?? asked.userAgent;
  const browser = event?.browser_details ?? browserDetails(userAgent);
  const ip = event?.ip_address ?? asked.ip;
  const told = browser
    ? `${browser.browser_name} ${browser.browser_major_version}, ${browser.os}`
    : userAgent;
  return (ip ?? told) === undefined
    ? undefined
    : html`${ip} <small>${told}</small>`;
}

function details({
  workspace,
  decision,
  deny_with,
  rule,
  asked,
  event,
  event_id,
}: Visit): Html {
  return more(
    `visit-${workspace}-${decision ?? event_id}`,
    event_id === null ? "Request" : html`Event <code>${event_id}</code>`,
    html`${rule && html`<p>Rule <b>${rule.name}</b>: <code>${rule.expression}</code></p>`}
    ${deny_with !== null && html`<p>Answered with 403 and <code>${deny_with}</code>.</p>`}
    ${decision !== null && jsonOf("Request, as rules see it", asked)}
    ${event && jsonOf("Event", event)}`,
  );
}

function jsonOf(title: string, value: object): Html {
  return html`<h4>${title}</h4>
    <pre tabindex="0" aria-label="${title}">
${JSON.stringify(value, null, 2)}</pre>`;
}
