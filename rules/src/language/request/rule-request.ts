/**
 * A request as the rules see it: the service's `test_request_payload`, and what
 * it found out about the user agent.
 */
export interface RuleRequest {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly ip?: string;
  /** Default: empty. */
  readonly userAgent?: string;
  /** `js`, `android` or `ios`; anything else counts as `unknown`, the default. */
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

/** Stands for a value that was there and is not known. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A request of which parts are not known, such as that of a past event. */
export type PartialRuleRequest = {
  readonly [Field in Exclude<keyof RuleRequest, "headers">]?:
    RuleRequest[Field] | typeof UNKNOWN;
} & {
  /** `UNKNOWN`: no header is known. A header may be so alone. */
  readonly headers:
    | Readonly<Record<string, readonly string[] | typeof UNKNOWN>>
    | typeof UNKNOWN;
  /** What the headers are that `headers` does not name. Default: `missing`. */
  readonly otherHeaders?: "missing" | "unknown";
};
