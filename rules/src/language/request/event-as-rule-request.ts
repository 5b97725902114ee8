import { type Event, originOf } from "@devid/sdk";
import { botFlags } from "./bot-flags";
import { type PartialRuleRequest, UNKNOWN } from "./rule-request";

/** The members of an event that the conversion reads. */
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
 * The request of a past event, as far as the event tells it (docs/assumptions.md,
 * A110). Members that are absent or null become unknown, and so do all headers
 * but `Origin`, `Referer` and `User-Agent`. A web page has no app package name.
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
