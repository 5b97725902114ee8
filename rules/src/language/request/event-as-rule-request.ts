import { type Event, originOf } from "@devid/sdk";
import { botFlags } from "./bot-flags";
import { type PartialRuleRequest, UNKNOWN } from "./rule-request";

/** What the conversion reads of an event. */
type Told = Pick<
  Event,
  | "bundle_id"
  | "client_referrer"
  | "ip_address"
  | "origin"
  | "package_name"
  | "sdk"
  | "url"
  | "user_agent"
>;

/**
 * A past event as the request that rules were, or would have been, asked about
 * (docs/assumptions.md, A110). What the event does not tell is unknown, all
 * headers but `Origin`, `Referer` and `User-Agent` among it; only a web page
 * surely has no app package name. Null tells nothing.
 */
export function eventAsRuleRequest(event: Told): PartialRuleRequest {
  const { client_referrer, ip_address, sdk, user_agent } = event;
  const app = event.package_name ?? event.bundle_id;
  const isWeb = sdk?.platform === "js";
  return {
    headers: Object.fromEntries(
      Object.entries({
        Origin: originOf(event),
        Referer: client_referrer,
        "User-Agent": user_agent,
      }).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, [value]]] : [],
      ),
    ),
    otherHeaders: "unknown",
    ip: ip_address ?? UNKNOWN,
    userAgent: user_agent ?? UNKNOWN,
    ...(typeof user_agent === "string"
      ? botFlags(user_agent)
      : { isAiBot: UNKNOWN, isCrawlerBot: UNKNOWN }),
    sdkPlatform: sdk?.platform ?? UNKNOWN,
    sdkVersion: sdk?.version ?? UNKNOWN,
    appPackageName: app ?? (isWeb ? "" : UNKNOWN),
  };
}
