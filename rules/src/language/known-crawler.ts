import crawlers from "crawler-user-agents";
import { botFlags, LONGEST_USER_AGENT } from "./bot-flags";

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
