/**
 * A request for the rules: the service's `test_request_payload`, and whether its user
 * agent belongs to a bot.
 */
export interface RuleRequest {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly ip?: string;
  /** Default: empty. */
  readonly userAgent?: string;
  /** `js`, `android` or `ios`. Any other text counts as `unknown`, which is the default. */
  readonly sdkPlatform?: string;
  /** Default: empty. */
  readonly sdkVersion?: string;
  /** Default: empty. */
  readonly appPackageName?: string;
  /** Default: false. */
  readonly isAiBot?: boolean;
  /** Default: false. */
  readonly isCrawlerBot?: boolean;
}

/** Stands for a value of a request that is not known. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A request with unknown parts, such as that of a past event. */
export type PartialRuleRequest = {
  readonly [Field in Exclude<keyof RuleRequest, "headers">]?:
    | RuleRequest[Field]
    | typeof UNKNOWN;
} & {
  /** `UNKNOWN` if no header is known; a single header may be unknown, too. */
  readonly headers:
    | Readonly<Record<string, readonly string[] | typeof UNKNOWN>>
    | typeof UNKNOWN;
  /** Whether headers outside `headers` are missing or unknown. Default: `missing`. */
  readonly otherHeaders?: "missing" | "unknown";
  /** Canonical names of headers that are known to be missing, unless `headers` names them. */
  readonly notSent?: ReadonlySet<string>;
  /**
   * The results of parts of expressions, by their nodes of the core, where a warehouse
   * has evaluated them. They count if everything that the node reads is known.
   */
  readonly answers?: ReadonlyMap<object, boolean>;
};
