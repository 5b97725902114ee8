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
