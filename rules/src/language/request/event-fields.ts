import type { Event } from "@devid/sdk";
import { botFlags } from "./bot-flags";
import type { RuleRequest } from "./rule-request";

/** The members of an event that tell something of its request. */
export type Told = Pick<
  Event,
  | "bundle_id"
  | "ip_address"
  | "origin"
  | "package_name"
  | "sdk"
  | "url"
  | "user_agent"
>;

/** How well a past event tells a part of its request. */
export type Exactness =
  /** The member of the event is what the rules saw. */
  | "exact"
  /** The value follows from a member of the event, if an assumption holds. */
  | "derived"
  /** No member of the event tells it, so the part is unknown. */
  | "not told";

/** One row of the table of what a past event tells. */
export interface EventField<Value> {
  /** The part of a request, as expressions read it. */
  readonly part: string;
  /** Where an event has it, or what looks like it and is not. */
  readonly where: string;
  readonly exactness: Exactness;
  /** Why: a row of docs/assumptions.md, or where the fact comes from. */
  readonly source: string;
  /** The value; undefined if an event does not tell it. Absent: no event does. */
  readonly read?: (event: Told) => Value | undefined;
}

const flagsOf = ({ user_agent }: Told) =>
  typeof user_agent === "string" ? botFlags(user_agent) : undefined;

/** The headers of a request, by their canonical names; `*` stands for all others. */
export const HEADERS_OF_EVENT = {
  Origin: {
    part: "http.request.headers['Origin']",
    where:
      "`origin`. The address in `url` has the same origin on most pages, but a sandboxed frame sends `null`",
    exactness: "exact",
    source: "A110",
    read: ({ origin }) => origin ?? undefined,
  },
  Referer: {
    part: "http.request.headers['Referer']",
    where:
      "nowhere. `client_referrer` is the page before, `document.referrer`; the header names the page that asks",
    exactness: "not told",
    source: "public: the agent sends `document.referrer`",
  },
  "User-Agent": {
    part: "http.request.headers['User-Agent']",
    where: "`user_agent`",
    exactness: "exact",
    source: "A110",
    read: ({ user_agent }) => user_agent ?? undefined,
  },
  "*": {
    part: "any other header, and `http.request.headers` as a whole",
    where:
      "nowhere. `browser_details` and `raw_device_attributes` are what the device says, not `Sec-Ch-Ua` or `Accept-Language`",
    exactness: "not told",
    source: "A110",
  },
} as const satisfies Readonly<Record<string, EventField<string>>>;

type Member = Exclude<keyof RuleRequest, "headers">;

/** The other members of a request. */
export const MEMBERS_OF_EVENT: {
  readonly [Name in Member]-?: EventField<NonNullable<RuleRequest[Name]>>;
} = {
  ip: {
    part: "http.request.ip",
    where:
      "`ip_address`, the address that the service takes for the client's, behind a proxy, too",
    exactness: "exact",
    source: "A110",
    read: ({ ip_address }) => ip_address ?? undefined,
  },
  userAgent: {
    part: "http.user_agent.string",
    where:
      "`user_agent`: what was sent, whatever a script in the page makes of `navigator.userAgent`",
    exactness: "exact",
    source: "A110",
    read: ({ user_agent }) => user_agent ?? undefined,
  },
  isAiBot: {
    part: "http.user_agent.is_ai_bot",
    where: "`user_agent`, by a public list. `bot` is another signal",
    exactness: "derived",
    source: "A105",
    read: (event) => flagsOf(event)?.isAiBot,
  },
  isCrawlerBot: {
    part: "http.user_agent.is_crawler_bot",
    where: "`user_agent`, by a public list. `bot` is another signal",
    exactness: "derived",
    source: "A105",
    read: (event) => flagsOf(event)?.isCrawlerBot,
  },
  sdkPlatform: {
    part: "sdk.platform.name, sdk.platform.is_*",
    where: "`sdk.platform`",
    exactness: "exact",
    source: "A110",
    read: ({ sdk }) => sdk?.platform ?? undefined,
  },
  sdkVersion: {
    part: "sdk.version",
    where: "`sdk.version`",
    exactness: "exact",
    source: "A110",
    read: ({ sdk }) => sdk?.version ?? undefined,
  },
  appPackageName: {
    part: "sdk.platform.app_package_name",
    where:
      "`package_name` of Android, `bundle_id` of iOS; an event of platform `js` has no app, so it is empty",
    exactness: "derived",
    source: "A110",
    read: ({ package_name, bundle_id, sdk }) =>
      package_name ?? bundle_id ?? (sdk?.platform === "js" ? "" : undefined),
  },
};

/** Every row, in the order of the reference page. */
export const EVENT_FIELDS: readonly EventField<unknown>[] = [
  ...Object.values(HEADERS_OF_EVENT),
  ...Object.values(MEMBERS_OF_EVENT),
];
