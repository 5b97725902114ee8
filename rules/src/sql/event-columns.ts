import { botPatterns, LONGEST_USER_AGENT } from "../language/request/bot-flags";
import { DIALECTS } from "./dialects";
import type { Dialect, DialectName } from "./dialects/dialect";
import { patternSql } from "./pattern-sql";

/**
 * Where a table of past events has what rules and impacts read: an SQL expression of a
 * row for each member, null where the event does not tell it. A member that is left out
 * is told by no event of the table.
 */
export interface EventColumns {
  /** Text, never null. */
  readonly eventId: string;
  /** Unix milliseconds, an integer, never null. */
  readonly timestamp: string;
  /** Texts: what the rules saw. docs/assumptions.md, A110. */
  readonly origin?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
  readonly sdkPlatform?: string;
  readonly sdkVersion?: string;
  readonly appPackageName?: string;
  /** Booleans; null exactly where the user agent is. docs/assumptions.md, A105. */
  readonly isAiBot?: string;
  readonly isCrawlerBot?: string;
  /** Texts that changed events are counted by; `asn` is `64512 EXAMPLE`. */
  readonly url?: string;
  readonly linkedId?: string;
  readonly country?: string;
  readonly asn?: string;
  /** Text: `bad`, `good` or another. */
  readonly bot?: string;
  /** A number. */
  readonly suspectScore?: string;
}

/** The columns of a table of version 4 events, as `devid events export` names them. */
export type EventColumnName =
  | "event_id"
  | "timestamp"
  | "origin"
  | "url"
  | "user_agent"
  | "ip_address"
  | "sdk_platform"
  | "sdk_version"
  | "package_name"
  | "bundle_id"
  | "is_ai_bot"
  | "is_crawler_bot"
  | "linked_id"
  | "country"
  | "asn"
  | "asn_name"
  | "bot"
  | "suspect_score";

/**
 * What rules read of a table of version 4 events. A table without columns for the flags
 * of bots gets them from the user agent, by the list that the replay reads, which takes
 * more time than all rules together.
 * @param column the SQL of a column, of the type that `EventColumns` says; undefined
 * where the table has none
 *
 * @example
 * eventColumns("duckdb", (name) => quotedName("duckdb", name));
 */
export function eventColumns(
  dialectName: DialectName,
  column: (name: EventColumnName) => string | undefined,
): EventColumns {
  const dialect = DIALECTS[dialectName];
  const platform = column("sdk_platform");
  const apps = [
    column("package_name"),
    column("bundle_id"),
    platform && `CASE WHEN ${platform} = 'js' THEN '' END`,
  ].filter((app) => app !== undefined);
  const userAgent = column("user_agent");
  const hasFlags = column("is_ai_bot") !== undefined;
  const flags: Pick<EventColumns, "isAiBot" | "isCrawlerBot"> =
    hasFlags || userAgent === undefined
      ? {
          isAiBot: column("is_ai_bot"),
          isCrawlerBot: column("is_crawler_bot"),
        }
      : botFlagsOf(dialect, userAgent);
  return {
    eventId: column("event_id") ?? "''",
    timestamp: column("timestamp") ?? "0",
    origin: column("origin"),
    userAgent,
    ipAddress: column("ip_address"),
    sdkPlatform: platform,
    sdkVersion: column("sdk_version"),
    appPackageName:
      apps.length === 0
        ? undefined
        : `coalesce(${[...apps, "NULL"].join(", ")})`,
    ...flags,
    url: column("url"),
    linkedId: column("linked_id"),
    country: column("country"),
    asn: networkOf(column("asn"), column("asn_name")),
    bot: column("bot"),
    suspectScore: column("suspect_score"),
  };
}

/** The number of a network and its name: `64512 EXAMPLE`. */
function networkOf(
  asn: string | undefined,
  name: string | undefined,
): string | undefined {
  if (asn === undefined || name === undefined) return asn;
  return `CASE WHEN ${asn} IS NULL OR ${asn} = '' OR ${name} IS NULL OR ${name} = '' THEN ${asn} ELSE concat(${asn}, ' ', ${name}) END`;
}

/** docs/assumptions.md, A105: no user agent is of both kinds. */
function botFlagsOf(dialect: Dialect, userAgent: string) {
  const { ai, other } = botPatterns();
  // The replay reads the first units of UTF-16, of which some characters take two.
  const astral = `([${dialect.patternCharacter(0x10000)}-${dialect.patternCharacter(0x10ffff)}])`;
  const start = `CASE WHEN ${dialect.lengthOf(userAgent)} <= ${LONGEST_USER_AGENT / 2} THEN ${userAgent} ELSE ${dialect.startOf(dialect.replaceMatches(userAgent, astral, "\ufffd\ufffd"), LONGEST_USER_AGENT)} END`;
  const isAi = dialect.matches(start, patternSql(dialect, ai));
  const isOther = dialect.matches(start, patternSql(dialect, other));
  const ifTold = (flag: string) =>
    `CASE WHEN ${userAgent} IS NULL THEN NULL ELSE ${flag} END`;
  return {
    isAiBot: ifTold(isAi),
    isCrawlerBot: ifTold(`(${isOther} AND NOT ${isAi})`),
  };
}
