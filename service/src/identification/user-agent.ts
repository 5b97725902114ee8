import { parseUrl } from "@devid/sdk/errors";
import { knownCrawler } from "@devid/rules/language";
import type { Event } from "@devid/sdk";
import Bowser from "bowser";
import { keptByText } from "../kept-by-text";

/**
 * No browser sends a longer user agent. A visitor may send anything, so a
 * longer one is not parsed.
 */
const MAX_LENGTH = 2_048;

/** What a user agent says about the browser; undefined for an unknown one. */
export function browserDetails(
  userAgent: string | undefined,
): Event["browser_details"] {
  if (!userAgent || userAgent.length > MAX_LENGTH) return undefined;
  return read(userAgent) ?? undefined;
}

/** Null for an unknown browser. */
const read = keptByText((userAgent) => {
  const { browser, os, platform } = Bowser.parse(userAgent);
  if (!browser.name) return null;
  const { version = "" } = browser;
  return {
    browser_name: browser.name,
    browser_major_version: version.split(".", 1)[0] ?? "",
    browser_full_version: version,
    os: os.name ?? "",
    os_version: os.version ?? "",
    device: platform.model ?? "Other",
  };
}, 200);

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

const crawlerOf = keptByText(
  (userAgent) => knownCrawler(userAgent) ?? null,
  200,
  MAX_LENGTH,
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
  const provider = url && parseUrl(url)?.hostname.replace(/^www\./, "");
  return provider ? { provider, provider_url: url } : { provider: "unknown" };
}
