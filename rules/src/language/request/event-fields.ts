import type { Event } from "@devid/sdk";
import { botFlags } from "./bot-flags";
import type { RuleRequest } from "./rule-request";

/** The members of an event from which its request is derived. */
export type RequestEvent = Pick<
  Event,
  | "bundle_id"
  | "ip_address"
  | "origin"
  | "package_name"
  | "sdk"
  | "url"
  | "user_agent"
>;

/** How exactly a past event gives a part of its request. */
export type Exactness =
  /** The event has exactly the value that the rules saw. */
  | "exact"
  /** The value follows from a member of the event, if an assumption holds. */
  | "derived"
  /** No member of the event has the value, so the part is unknown. */
  | "absent";

/** One row of the table of the request's parts in a past event. */
export interface EventField<Value> {
  /** The part of a request, as expressions read it. */
  readonly part: string;
  /**
   * The member of the event that has the value, or a similar member that means
   * something else.
   */
  readonly where: string;
  readonly exactness: Exactness;
  /** Source of the fact, or a row of docs/assumptions.md. */
  readonly source: string;
  /** The value; undefined if an event does not have it. Absent: no event has it. */
  readonly read?: (event: RequestEvent) => Value | undefined;
}

const EXACT = { exactness: "exact", source: "A110" } as const;

const flagsOf = ({ user_agent }: RequestEvent) =>
  typeof user_agent === "string" ? botFlags(user_agent) : undefined;

/** The headers of a request, by their canonical names; `*` stands for all others. */
export const HEADERS_OF_EVENT = {
  Origin: {
    part: "http.request.headers['Origin']",
    where:
      "`origin`. The address in `url` has the same origin on most pages, but a sandboxed frame sends `null`",
    ...EXACT,
    read: ({ origin }) => origin ?? undefined,
  },
  Referer: {
    part: "http.request.headers['Referer']",
    where:
      "nowhere. `client_referrer` is the page before, `document.referrer`; the header names the page that asks",
    exactness: "absent",
    source: "public: the agent sends `document.referrer`",
  },
  "User-Agent": {
    part: "http.request.headers['User-Agent']",
    where: "`user_agent`",
    ...EXACT,
    read: ({ user_agent }) => user_agent ?? undefined,
  },
  "*": {
    part: "any other header, and `http.request.headers` as a whole",
    where:
      "nowhere. `browser_details` and `raw_device_attributes` are what the device says, not `Sec-Ch-Ua` or `Accept-Language`",
    exactness: "absent",
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
    ...EXACT,
    read: ({ ip_address }) => ip_address ?? undefined,
  },
  userAgent: {
    part: "http.user_agent.string",
    where:
      "`user_agent`: what was sent, whatever a script in the page makes of `navigator.userAgent`",
    ...EXACT,
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
    ...EXACT,
    read: ({ sdk }) => sdk?.platform ?? undefined,
  },
  sdkVersion: {
    part: "sdk.version",
    where: "`sdk.version`",
    ...EXACT,
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
