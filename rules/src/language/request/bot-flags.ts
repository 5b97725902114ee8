import type * as list from "crawler-user-agents";
import { keepingResults } from "../../keeping-results";
import type { RuleRequest } from "./rule-request";

type Entry = (typeof list)[number];

/** A public list of crawlers. It is loaded when it is first needed: most checks do not read it. */
export const crawlers = (): readonly Entry[] =>
  // oxlint-disable-next-line typescript/no-require-imports -- flags are found at once
  require("crawler-user-agents") as typeof list;

/** The values of `http.user_agent.is_crawler_bot` and `is_ai_bot` for a user agent. */
export interface BotFlags {
  readonly isCrawlerBot: boolean;
  readonly isAiBot: boolean;
}

/**
 * Whether a user agent belongs to an AI bot, or to another known crawler; never both.
 * It uses a public list, because the service's own list is not known
 * (docs/assumptions.md, A105).
 */
export const botFlags = (userAgent = ""): BotFlags =>
  flagsOf(userAgent.slice(0, LONGEST_USER_AGENT));

/** Requests of one browser have the same user agent again and again, and the patterns are long. */
const flagsOf = keepingResults(200, (userAgent): BotFlags => {
  if (userAgent === "") return { isCrawlerBot: false, isAiBot: false };
  patterns ??= { ai: anyOf(isAi), other: anyOf((entry) => !isAi(entry)) };
  const isAiBot = patterns.ai.test(userAgent);
  return { isAiBot, isCrawlerBot: !isAiBot && patterns.other.test(userAgent) };
});

/**
 * A request with the bot flags of its user agent. Given flags stay. No request has both
 * flags (docs/assumptions.md, A105), so if one flag is given as true, the default of
 * the other is false.
 */
export function withBotFlags(request: RuleRequest): RuleRequest {
  const isReported = request.isAiBot === true || request.isCrawlerBot === true;
  const { isAiBot, isCrawlerBot } = botFlags(
    isReported ? undefined : request.userAgent,
  );
  // Only one spread: V8 takes 30 times as long for two, and leaves garbage that only a
  // full collection removes.
  const seen = { isAiBot, isCrawlerBot, ...request };
  // A flag that is given as undefined is not given.
  seen.isAiBot ??= isAiBot;
  seen.isCrawlerBot ??= isCrawlerBot;
  return seen;
}

/** Whether a request has both flags, which none can have (docs/assumptions.md, A105). */
export function isBothBots({ isAiBot, isCrawlerBot }: Partial<BotFlags>) {
  return isAiBot === true && isCrawlerBot === true;
}

/**
 * Refuses a given request that has both flags, in schemas of requests: no real request
 * has both, so no result about requests would hold for it.
 */
export function refuseBothBots(
  flags: Partial<BotFlags>,
  context: {
    addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
  },
): void {
  if (isBothBots(flags))
    context.addIssue({
      code: "custom",
      path: ["isCrawlerBot"],
      message:
        "no request is of an AI bot and of a crawler at once, so isAiBot and isCrawlerBot cannot both be true",
    });
}

/**
 * Most characters of a user agent that are read. A few patterns take time quadratic in
 * their number, and real user agents are shorter.
 */
export const LONGEST_USER_AGENT = 4_096;

let patterns: { readonly ai: RegExp; readonly other: RegExp } | undefined;

const isAi = ({ tags }: Entry) => tags?.includes("ai-crawler") ?? false;

const sourceOf = (include: (entry: Entry) => boolean) =>
  crawlers()
    .filter(include)
    .map(({ pattern }) => pattern)
    // Sorted, V8 compiles them in two thirds of the time, and tests a text in a quarter.
    .sort()
    .join("|");

const anyOf = (include: (entry: Entry) => boolean) =>
  new RegExp(sourceOf(include));

/** The patterns by which `botFlags` recognises bots; they mean the same in RE2 syntax. */
export function botPatterns(): { readonly ai: string; readonly other: string } {
  return { ai: sourceOf(isAi), other: sourceOf((entry) => !isAi(entry)) };
}

/** A crawler that is known by its user agent. */
export interface KnownCrawler {
  /** Its name as the user agent spells it. */
  readonly name: string;
  /** Its purposes, such as `search-engine` or `ai-crawler`. */
  readonly tags: readonly string[];
}

/**
 * The crawler that a user agent belongs to, by the list that `botFlags` reads.
 * For an AI bot, only AI bots are compared (docs/assumptions.md, A105).
 */
export function knownCrawler(
  userAgent: string | undefined,
): KnownCrawler | undefined {
  const { isAiBot, isCrawlerBot } = botFlags(userAgent);
  if (!userAgent || !(isAiBot || isCrawlerBot)) return undefined;
  known ??= crawlers().map(({ pattern, tags = [] }) => ({
    pattern: new RegExp(pattern),
    tags,
    isAi: tags.includes("ai-crawler"),
  }));
  const start = userAgent.slice(0, LONGEST_USER_AGENT);
  for (const { pattern, isAi, tags } of known) {
    const found = isAi === isAiBot ? pattern.exec(start)?.[0] : undefined;
    if (found !== undefined) return { name: nameIn(found), tags };
  }
  return undefined;
}

let known:
  | readonly {
      readonly pattern: RegExp;
      readonly tags: readonly string[];
      readonly isAi: boolean;
    }[]
  | undefined;

/** The name within the text that a pattern matched: `Googlebot` of `Googlebot/`. */
function nameIn(found: string): string {
  return found.replace(/^\W+|\W+$/g, "").slice(0, 64);
}
