import crawlers from "crawler-user-agents";
import type { RuleRequest } from "./rule-request";

/** What `http.user_agent.is_crawler_bot` and `is_ai_bot` say of a user agent. */
export interface BotFlags {
  readonly isCrawlerBot: boolean;
  readonly isAiBot: boolean;
}

/**
 * Whether a user agent is that of a known crawler, and whether that is one of
 * an AI company; the latter does not count as the former. By a public list, as
 * the service's own is not known (docs/assumptions.md, A105).
 */
export function botFlags(userAgent: string | undefined): BotFlags {
  if (!userAgent) return { isCrawlerBot: false, isAiBot: false };
  patterns ??= { ai: anyOf(isAi), other: anyOf((entry) => !isAi(entry)) };
  const start = userAgent.slice(0, LONGEST_USER_AGENT);
  const isAiBot = patterns.ai.test(start);
  return { isAiBot, isCrawlerBot: !isAiBot && patterns.other.test(start) };
}

/** A request with what its user agent says, unless it says so itself. */
export function withBotFlags(request: RuleRequest): RuleRequest {
  return { ...botFlags(request.userAgent), ...request };
}

/** Characters of a user agent that are read: a few patterns take time with the square of them, and no real one has as many. */
export const LONGEST_USER_AGENT = 4_096;

type Entry = (typeof crawlers)[number];

let patterns: { readonly ai: RegExp; readonly other: RegExp } | undefined;

const isAi = ({ tags }: Entry) => tags?.includes("ai-crawler") ?? false;

const anyOf = (include: (entry: Entry) => boolean) =>
  new RegExp(
    crawlers
      .filter(include)
      .map(({ pattern }) => pattern)
      .join("|"),
  );

/** A crawler that is known by its user agent. */
export interface KnownCrawler {
  /** As its user agent spells it. */
  readonly name: string;
  /** What it is there for, such as `search-engine` or `ai-crawler`. */
  readonly tags: readonly string[];
}

/**
 * The crawler that a user agent is of, by the list that `botFlags` reads: of
 * those of AI companies where it is one, else of the others
 * (docs/assumptions.md, A105).
 */
export function knownCrawler(
  userAgent: string | undefined,
): KnownCrawler | undefined {
  const { isAiBot, isCrawlerBot } = botFlags(userAgent);
  if (!userAgent || !(isAiBot || isCrawlerBot)) return undefined;
  known ??= crawlers.map(({ pattern, tags = [] }) => ({
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

/** `Googlebot` of `Googlebot/`. A few patterns match more than a name. */
function nameIn(found: string): string {
  return found.replace(/^\W+|\W+$/g, "").slice(0, 64);
}
