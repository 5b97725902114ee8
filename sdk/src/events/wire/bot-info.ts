import { z } from "zod";
import { openEnum } from "../../open-enum";
import { Level } from "./scalars";

/** Result of bot detection in an event; the search filter has other names for it. */
export const BOT_RESULTS = ["bad", "good", "not_detected"] as const;

/** What kind of bot it is. */
export const BOT_CATEGORIES = [
  "advertising_and_marketing",
  "aggregator",
  "ai_agent",
  "ai_assistant",
  "ai_browser",
  "ai_crawler",
  "ai_search",
  "browser_automation",
  "ecommerce",
  "monitoring_and_analytics",
  "other",
  "scraping",
  "security",
  "search_engine_crawler",
  "search_engine_optimization",
  "unknown",
] as const;

/** How well a bot's claim of who it is was proved. */
export const BOT_IDENTITIES = [
  "verified",
  "signed",
  "spoofed",
  "unknown",
] as const;

/** Which bot it is; absent where none was found. */
export const BotInfo = z.looseObject({
  category: openEnum(BOT_CATEGORIES).nullable(),
  provider: z.string().nullable(),
  provider_url: z.string().nullish(),
  name: z.string().nullable(),
  identity: openEnum(BOT_IDENTITIES).nullable(),
  confidence: Level.nullable(),
});
