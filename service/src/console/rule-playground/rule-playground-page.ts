import type { Region } from "@devid/sdk";
import type { Context } from "../../context";
import type { VisitRow } from "../../store/activity";
import { header, page } from "../html/elements";
import { markup, type Markup } from "@devid/review/internals";

/** How many visits can be picked, and how many environments. */
const VISITS = 50;
const ENVIRONMENTS = 100;

/** How many past events a replay looks at, the newest ones. */
export const REPLAYED = 1_000;

/**
 * A page that shows what rules decide about a request and why, and what changed
 * rules would have done to past events.
 */
export function rulePlaygroundPage({ store }: Context, region: Region): Markup {
  const { rows } = store.environments.page(
    region,
    {},
    { after: 0 },
    ENVIRONMENTS,
  );
  return page(
    `devid rule playground ${region}`,
    markup`${header(
      `rule playground of ${region}`,
      markup`<a href="/?region=${region}">Console of ${region}</a>
        <a href="/playground/${region}">Playground of ${region}</a>`,
    )}
      <main id="main">
        <form id="options" class="wide" data-region="${region}">
          <fieldset>
            <legend>Request</legend>
            <p class="field">
              <label for="visit">Take the request of a visit</label>
              <select id="visit">
                <option value="">none: as it stands below</option>
                ${store.activity.visits([region], VISITS).map(visitOption)}
              </select>
            </p>
            <p class="field">
              <label for="request">Request, as JSON</label>
              <textarea
                id="request"
                rows="12"
                spellcheck="false"
                aria-describedby="request-help"
              >
${EXAMPLE}</textarea>
              <small id="request-help"
                >As <code>POST /filtering-rules/test</code> takes it.</small
              >
            </p>
            <p class="field">
              <label
                ><input type="checkbox" id="is-partial" /> What it does not
                contain is unknown, as with a past event</label
              >
            </p>
          </fieldset>
          <fieldset>
            <legend>Rules</legend>
            <p class="field">
              <label for="environment">Environment</label>
              <select id="environment">
                ${rows.map(({ id, name }) => markup`<option value="${id}">${name}</option>`)}
              </select>
            </p>
            <p class="field">
              <label for="rules">Rule file</label>
              <textarea
                id="rules"
                rows="16"
                spellcheck="false"
                aria-describedby="rules-help"
              ></textarea>
              <small id="rules-help"
                >It begins with the rules in force there. Nothing that you
                change here is put in force.</small
              >
            </p>
            <p>
              <button type="button" id="restore">
                Back to the rules in force
              </button>
            </p>
          </fieldset>
          <p class="actions">
            <button type="submit">Decide the request</button>
            <button type="button" id="replay">
              Replay the last ${REPLAYED.toLocaleString("en-US")} events
            </button>
            <span id="doing" role="status"></span>
          </p>
        </form>
        <div id="results">
          <p class="empty">
            Nothing was decided yet. This page needs JavaScript.
          </p>
        </div>
      </main>`,
    "rule-playground.js",
  );
}

const EXAMPLE = JSON.stringify(
  {
    headers: { Origin: ["https://shop.example"] },
    ip: "203.0.113.7",
    userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)",
    sdkPlatform: "js",
  },
  null,
  2,
);

function visitOption({
  workspace,
  at,
  decision,
  event_id,
  result,
  rule,
  page,
}: VisitRow): Markup {
  const value =
    decision === null
      ? `/console/events/${workspace}/${event_id}/request`
      : `/console/decisions/${workspace}/${decision}/request`;
  const who = [
    at.slice(0, 19).replace("T", " "),
    result === "deny" ? `refused by ${rule ?? "no rule"}` : (rule ?? "no rule"),
    page ?? "",
  ];
  return markup`<option value="${value}">
    ${who.join(", ").slice(0, 100)}
  </option>`;
}
