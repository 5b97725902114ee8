import { knownCrawler } from "@devid/rules/language";
import type { Event } from "@devid/sdk";
import { keptByText } from "../kept-by-text";

type BotSignals = Pick<Event, "bot" | "bot_type" | "bot_info">;

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

/** Tools that anybody can use against a page. All other crawlers name their operator. */
const BAD: readonly string[] = [
  "browser-automation",
  "http-library",
  "scanner",
];

/** No browser sends a user agent of more than 2,048 characters. */
const crawlerOf = keptByText(
  (userAgent) => knownCrawler(userAgent) ?? null,
  200,
  2_048,
);

/**
 * Whether a browser is a bot, judged by its own words: its user agent, looked
 * up in a public list, and `navigator.webdriver`. Nothing proves its identity,
 * which therefore stays `unknown` (docs/assumptions.md, A162).
 */
export function botSignals(
  userAgent: string | undefined,
  webdriver: unknown,
): BotSignals {
  const crawler = userAgent === undefined ? null : crawlerOf(userAgent);
  if (crawler) {
    const { name, tags } = crawler;
    const isBad = tags.some((tag) => BAD.includes(tag));
    return {
      bot: isBad ? "bad" : "good",
      bot_type: name,
      bot_info: {
        category: categoryOf(tags),
        ...providerIn(userAgent),
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

function categoryOf(tags: readonly string[]): Category {
  const [first = ""] = tags;
  const tag = tags.includes("ai-crawler") ? "ai-crawler" : first;
  return CATEGORY_OF[tag] ?? "unknown";
}

/**
 * The company that a crawler claims to work for, taken from the web address in
 * its user agent.
 */
function providerIn(userAgent = "") {
  const [url] = /https?:\/\/[^\s;,()]+/.exec(userAgent) ?? [];
  if (url === undefined || !URL.canParse(url)) return { provider: "unknown" };
  const provider = new URL(url).hostname.replace(/^www\./, "");
  return { provider, provider_url: url };
}
