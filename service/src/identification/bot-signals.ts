import type { Event } from "@devid/sdk/events";
import { knownCrawler } from "@devid/sdk/rules";

/** What an event tells of bots. */
export type BotSignals = Pick<Event, "bot" | "bot_type" | "bot_info">;

type Category = NonNullable<Event["bot_info"]>["category"];

const CATEGORY_OF: Readonly<Record<string, Category>> = {
  academic: "other",
  advertising: "advertising_and_marketing",
  "ai-crawler": "ai_crawler",
  archiver: "other",
  "browser-automation": "browser_automation",
  "feed-reader": "aggregator",
  "http-library": "other",
  monitoring: "monitoring_and_analytics",
  scanner: "security",
  "search-engine": "search_engine_crawler",
  seo: "search_engine_optimization",
  "social-preview": "other",
};

/** Tools that anybody can point at a page; the others tell whom they work for. */
const BAD: readonly string[] = [
  "browser-automation",
  "http-library",
  "scanner",
];

/**
 * Whether a browser is a bot, by what it says itself: its user agent, which is
 * looked up in a public list, and `navigator.webdriver`. Nobody has proved who
 * it is, so the identity stays unknown (docs/assumptions.md, A162).
 */
export function botSignals(
  userAgent: string | undefined,
  webdriver: unknown,
): BotSignals {
  const crawler = knownCrawler(userAgent);
  if (crawler) {
    const { name, url, tags } = crawler;
    return {
      bot: tags.some((tag) => BAD.includes(tag)) ? "bad" : "good",
      bot_type: name,
      bot_info: {
        category: CATEGORY_OF[tags[0] ?? ""] ?? "unknown",
        provider: url === undefined ? "unknown" : hostOf(url),
        ...(url !== undefined && { provider_url: url }),
        name,
        identity: "unknown",
        confidence: "low",
      },
    };
  }
  if (webdriver === true) return { bot: "bad", bot_type: "webdriver" };
  return userAgent === undefined && webdriver === undefined
    ? {}
    : { bot: "not_detected" };
}

function hostOf(url: string): string {
  return URL.canParse(url)
    ? new URL(url).hostname.replace(/^www\./, "")
    : "unknown";
}
