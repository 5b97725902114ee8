import type { Region } from "@devid/sdk";
import type { LoggedRequest } from "../http/request-log";
import { badge, short, table, time } from "./html/elements";
import { markup } from "@devid/review/internals";
import type { Section } from "./section";

/** How many requests are shown. */
const SHOWN = 50;
const TOO_MANY = 429;

/** The request log. */
export const REQUESTS_SECTION: Section = {
  id: "requests",
  title: "Requests",
  render: ({ requestLog }, regions) => {
    const kept = requestLog.since(0);
    const latest = latestOf(kept, regions);
    if (latest.length === 0)
      return markup`<p class="empty">
        No request yet. Control calls and this page are not counted.
      </p>`;
    const dropped = requestLog.droppedThrough;
    return markup`<h3>
        Last ${latest.length}; the log has
        ${kept.length}${dropped > 0 && `, the ${dropped} before them are dropped`}
      </h3>
      ${table("Requests", latest, [
        ["No.", ({ n }) => n],
        ["Time", ({ at }) => time(at)],
        [
          "Request",
          ({ method, path }) =>
            markup`<b>${method}</b> <code>${short(path)}</code>`,
          "long",
        ],
        ["Status", ({ status }) => badge(toneOf(status), status || "none")],
        ["Surface", ({ surface }) => surface],
        ["Key", ({ key }) => key ?? "none"],
      ])}`;
  },
};

function latestOf(
  kept: readonly LoggedRequest[],
  regions: readonly Region[],
): LoggedRequest[] {
  const found: LoggedRequest[] = [];
  for (let i = kept.length - 1; i >= 0 && found.length < SHOWN; i--) {
    const request = kept[i];
    if (request && isOf(request, regions)) found.push(request);
  }
  return found;
}

/**
 * Whether a request belongs to one of the regions: the name of its key, or the
 * first part of its path, may say so. A request that names no region belongs to
 * every region.
 */
function isOf(
  { key, path }: LoggedRequest,
  regions: readonly Region[],
): boolean {
  const [, first = ""] = path.split("/");
  const [owner = ""] = (key ?? "").split(" ");
  const named = [first, owner].filter((name) => /^(us|eu|ap)$/.test(name));
  return named.length === 0 || regions.some((region) => named.includes(region));
}

function toneOf(status: number) {
  if (status === 0) return "wait";
  if (status === TOO_MANY || status >= 500) return "bad";
  return status < 400 ? "good" : "plain";
}
