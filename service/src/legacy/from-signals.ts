import type { Event } from "@devid/sdk";
import { camelName, isoTime } from "./old-names";

/** The results of bot detection that have another spelling in version 3. */
const BOT_RESULTS: Readonly<Record<string, string>> = {
  not_detected: "notDetected",
};

/** `botd.data` of version 3. */
export function botOf(event: Event) {
  const { bot, bot_type: type } = event;
  if (!bot) return undefined;
  return {
    bot: { result: BOT_RESULTS[bot] ?? bot, type },
    linkedId: event.linked_id,
    url: event.url,
    ip: event.ip_address,
    time: isoTime(event.timestamp),
    userAgent: event.user_agent,
    requestId: event.event_id,
  };
}

/** `ipBlocklist.data` of version 3: version 4 has no result of its own. */
export function blocklistOf({ ip_blocklist: list }: Event) {
  const { email_spam: emailSpam, attack_source: attackSource } = list ?? {};
  if ((emailSpam ?? attackSource ?? undefined) === undefined) return undefined;
  return {
    result: emailSpam === true || attackSource === true,
    details: { emailSpam, attackSource },
  };
}

/** `vpn.data` of version 3. */
export function vpnOf({ vpn, vpn_methods: methods, ...event }: Event) {
  if ((vpn ?? undefined) === undefined) return undefined;
  return {
    result: vpn,
    confidence: event.vpn_confidence,
    originTimezone: event.vpn_origin_timezone,
    originCountry: event.vpn_origin_country,
    methods: methods && {
      timezoneMismatch: methods.timezone_mismatch,
      publicVPN: methods.public_vpn,
      auxiliaryMobile: methods.auxiliary_mobile,
      osMismatch: methods.os_mismatch,
      relay: methods.relay,
    },
  };
}

/** `proxy.data` of version 3. */
export function proxyOf({ proxy, proxy_details: details, ...event }: Event) {
  if ((proxy ?? undefined) === undefined) return undefined;
  return {
    result: proxy,
    confidence: event.proxy_confidence,
    details: details && {
      proxyType: details.proxy_type,
      lastSeenAt: isoTime(details.last_seen_at),
    },
  };
}

/** `tampering.data` of version 3. */
export function tamperingOf({ tampering, tampering_details: details }: Event) {
  if ((tampering ?? undefined) === undefined) return undefined;
  return {
    result: tampering,
    anomalyScore: details?.anomaly_score,
    antiDetectBrowser: details?.anti_detect_browser,
  };
}

const INTERVALS: Readonly<Record<string, string>> = {
  "5_minutes": "5m",
  "1_hour": "1h",
  "24_hours": "24h",
};

/** `velocity.data` of version 3: the same counts, under other names. */
export function velocityOf({ velocity }: Event) {
  if (!velocity) return undefined;
  return Object.fromEntries(
    Object.entries(velocity).map(([name, counts]) => [
      camelName(name),
      { intervals: intervalsOf(counts) },
    ]),
  );
}

function intervalsOf(counts: unknown): object {
  return Object.fromEntries(
    Object.entries(counts ?? {}).map(([name, count]) => [
      INTERVALS[name] ?? name,
      count as unknown,
    ]),
  );
}
