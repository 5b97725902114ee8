import type { Region } from "@devid/sdk";
import { browserDetails } from "../identification/browser-details";
import type { VisitRow } from "../store/activity";
import {
  badge,
  lastOf,
  more,
  ruleName,
  short,
  table,
  time,
} from "./html/elements";
import { markup, type Markup } from "@devid/review/internals";
import type { Section } from "./section";

const SHOWN = 50;

/**
 * Requests for identification: the rule that allowed or denied each, and the
 * event that it led to.
 */
export const VISITS_SECTION: Section = {
  id: "visits",
  title: "Live events",
  render: ({ store }, regions) => {
    const found = store.activity.visits(regions, SHOWN + 1);
    if (found.length === 0)
      return markup`<p class="empty">
          No event yet. Open a page of your own that loads the agent.
        </p>
        ${playgrounds(regions)}`;
    const visits = table(
      "Live events",
      found.slice(0, SHOWN),
      [
        ["Time", ({ at }) => time(at)],
        ["Workspace", ({ workspace }) => workspace],
        ["Result", ({ result }) => resultOf(result)],
        ["Rule", ruleOf],
        ["Page", ({ page }) => short(page), "long"],
        ["Visitor", visitorOf],
        ["From", fromOf],
      ],
      ({ workspace, decision, event_id }) =>
        more(
          `visit-${workspace}-${decision ?? event_id}`,
          event_id === null
            ? "Request"
            : markup`Event <code>${event_id}</code>`,
          decision === null
            ? `/console/events/${workspace}/${event_id}`
            : `/console/decisions/${workspace}/${decision}`,
          event_id === null ? "The request" : "The whole event",
        ),
    );
    const [region] = regions;
    return markup`${visits}
    ${found.length > SHOWN && lastOf(SHOWN, `/_local/${region}/decisions`)}
    ${playgrounds(regions)}`;
  },
};

const playgrounds = (regions: readonly Region[]) =>
  markup`<p>
    Identify this browser: playground of
    ${regions.map((region) => markup` <a href="/playground/${region}">${region}</a>`)}
  </p>`;

/** How a visit ended, as a badge. */
export function resultOf(result: VisitRow["result"]): Markup {
  if (result === null) return badge("plain", "stored");
  return result === "allow" ? badge("good", "let in") : badge("bad", "refused");
}

function ruleOf({ decision, rule }: VisitRow): Markup {
  if (decision === null) return markup`a control call`;
  if (rule === null) return markup`no rule matched`;
  return ruleName(rule);
}

function visitorOf(visit: VisitRow): Markup | undefined {
  const { event_id, visitor_id, is_known, suspect_score: score, bot } = visit;
  if (event_id === null) return undefined;
  return markup`<code>${short(visitor_id)}</code>
    ${is_known === 1 && badge("plain", "known")}
    ${(bot === "bad" || bot === "good") && badge("wait", `${bot} bot`)}
    ${(score ?? 0) > 0 && badge("wait", `suspect ${score}`)}`;
}

function fromOf({ ip, user_agent, browser }: VisitRow): Markup | undefined {
  const found = browserDetails(user_agent ?? undefined);
  const version =
    found?.browser_major_version && ` ${found.browser_major_version}`;
  const system = found?.os && `, ${found.os}`;
  const browserText =
    browser ??
    (found && `${found.browser_name}${version}${system}`) ??
    user_agent;
  return (ip ?? browserText) === null
    ? undefined
    : markup`${short(ip)} <small>${short(browserText)}</small>`;
}
