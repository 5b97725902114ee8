import type { RuleRequest } from "../request/rule-request";

/** What a field can hold, before any operator. */
export type FieldType = "boolean" | "string" | "headers" | "ip";

/** One row of the table of request fields. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** One sentence for the reference page. */
  readonly doc: string;
  /** An expression that uses it. */
  readonly example: string;
  /**
   * The member of a request that the field is read from. If that member is unknown, so
   * is the field.
   */
  readonly from: keyof RuleRequest;
  readonly read: (request: RuleRequest) => unknown;
  /**
   * How the solver treats a text or a boolean. Without it, the solver answers "cannot
   * tell" for conditions on the field. The solver reads headers and the address by
   * itself.
   */
  readonly symbolic?: SymbolicField;
}

/** What the solver may conclude about a field. */
export type SymbolicField =
  /** The field may have any value of its type; a witness carries that value in `from`. */
  | {
      readonly kind: "variable";
      /** For a text: the only values that it can have. */
      readonly values?: readonly string[];
      /** For a text: values that people would expect; a witness uses them if possible. */
      readonly plain?: readonly string[];
      /** For a boolean: the name of another boolean that is never true together with it. */
      readonly excludes?: string;
    }
  /**
   * The field is a boolean that is true exactly if the text of another field is
   * `value`.
   */
  | { readonly kind: "equals"; readonly field: string; readonly value: string };

const KNOWN_PLATFORMS: readonly string[] = ["js", "android", "ios"];

/** The platform of a request; `unknown` if the request names no known platform. */
function platformOf({ sdkPlatform = "" }: RuleRequest): string {
  return KNOWN_PLATFORMS.includes(sdkPlatform) ? sdkPlatform : "unknown";
}

const platform = (name: string, value: string, doc: string): Field => ({
  ...{ name: `sdk.platform.is_${name}`, type: "boolean", doc },
  example: `sdk.platform.is_${name}`,
  from: "sdkPlatform",
  read: (request) => platformOf(request) === value,
  symbolic: { kind: "equals", field: "sdk.platform.name", value },
});

/**
 * Every request field of the language. The checker, the compiler, partial
 * evaluation, the solver, the reference page and the random tests read this
 * table. docs/contract.md, "Expression language".
 */
export const FIELDS: readonly Field[] = [
  {
    name: "http.user_agent.is_ai_bot",
    type: "boolean",
    doc: "Whether the user agent belongs to an AI bot.",
    example: "http.user_agent.is_ai_bot",
    from: "isAiBot",
    read: (request) => request.isAiBot ?? false,
    // docs/assumptions.md, A105: no user agent is of both kinds.
    symbolic: { kind: "variable", excludes: "http.user_agent.is_crawler_bot" },
  },
  {
    name: "http.user_agent.is_crawler_bot",
    type: "boolean",
    doc: "Whether the user agent belongs to a crawler that is no AI bot. HTTP libraries such as curl count, by the list that devid uses.",
    example: "http.user_agent.is_crawler_bot",
    from: "isCrawlerBot",
    read: (request) => request.isCrawlerBot ?? false,
    symbolic: { kind: "variable", excludes: "http.user_agent.is_ai_bot" },
  },
  {
    name: "http.user_agent.string",
    type: "string",
    doc: "The user agent as it was sent.",
    example: "http.user_agent.string contains 'HeadlessChrome'",
    from: "userAgent",
    read: (request) => request.userAgent ?? "",
    symbolic: { kind: "variable", plain: [""] },
  },
  {
    name: "http.request.headers",
    type: "headers",
    doc: "Header names to lists of their values. Names match to the letter; every header has its canonical name, such as `Origin` or `Sec-Ch-Ua`. A header that was not sent is nil.",
    example:
      "http.request.headers['Origin'][0] == 'https://subdomain.example.com'",
    from: "headers",
    read: (request) => request.headers,
  },
  {
    name: "http.request.ip",
    type: "ip",
    doc: "The address of the client. It can only be compared with cidr().",
    example: "http.request.ip in cidr('203.0.113.0/24')",
    from: "ip",
    read: (request) => request.ip,
  },
  {
    name: "sdk.platform.name",
    type: "string",
    doc: "Where the agent runs: js, android, ios or, anywhere else, unknown.",
    example: "sdk.platform.name == 'js'",
    from: "sdkPlatform",
    read: platformOf,
    symbolic: {
      kind: "variable",
      values: [...KNOWN_PLATFORMS, "unknown"],
      plain: [...KNOWN_PLATFORMS, "unknown"],
    },
  },
  {
    name: "sdk.version",
    type: "string",
    doc: "The version of the agent.",
    example: "sdk.version startsWith '3.'",
    from: "sdkVersion",
    read: (request) => request.sdkVersion ?? "",
    symbolic: { kind: "variable", plain: ["", "3.0.0"] },
  },
  {
    name: "sdk.platform.app_package_name",
    type: "string",
    doc: "The package name or bundle ID of the app.",
    example: "sdk.platform.app_package_name == 'com.acme.default'",
    from: "appPackageName",
    read: (request) => request.appPackageName ?? "",
    symbolic: { kind: "variable", plain: ["", "com.example.app"] },
  },
  platform("android", "android", "Whether the agent runs on Android."),
  platform("browser", "js", "Whether the agent runs on a browser."),
  platform("ios", "ios", "Whether the agent runs on iOS."),
  platform(
    "unknown",
    "unknown",
    "Whether the agent runs on none of the known platforms.",
  ),
];
