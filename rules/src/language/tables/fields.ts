import type { RuleRequest } from "../request/rule-request";

/** What a field can hold, before any operator. */
export type FieldType = "boolean" | "string" | "headers" | "ip";

/** A field of the language. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly doc: string;
  /** An expression that uses it. */
  readonly example: string;
  /** The parts of the request that it is made from. */
  readonly from: keyof RuleRequest;
  readonly read: (request: RuleRequest) => unknown;
}

const KNOWN_PLATFORMS: readonly string[] = ["js", "android", "ios"];

/** What `sdk.platform.name` can be. */
export const PLATFORMS: readonly string[] = [...KNOWN_PLATFORMS, "unknown"];

/** Where the agent of a request runs, as rules see it: any other text than those of `PLATFORMS` is `unknown`, and so is none. */
export function platformOf({ sdkPlatform = "" }: RuleRequest): string {
  return KNOWN_PLATFORMS.includes(sdkPlatform) ? sdkPlatform : "unknown";
}

function platform(name: "android" | "browser" | "ios", value: string): Field {
  return {
    name: `sdk.platform.is_${name}`,
    type: "boolean",
    doc: `Whether the agent runs on ${name === "ios" ? "iOS" : name === "android" ? "Android" : "a browser"}.`,
    example: `sdk.platform.is_${name}`,
    from: "sdkPlatform",
    read: (request) => platformOf(request) === value,
  };
}

/** Every field of the language: what the checker knows and the docs show. docs/contract.md, "Expression language". */
export const FIELDS: readonly Field[] = [
  {
    name: "http.user_agent.is_ai_bot",
    type: "boolean",
    doc: "Whether the user agent is that of an AI bot.",
    example: "http.user_agent.is_ai_bot",
    from: "isAiBot",
    read: (request) => request.isAiBot ?? false,
  },
  {
    name: "http.user_agent.is_crawler_bot",
    type: "boolean",
    doc: "Whether the user agent is that of a crawler.",
    example: "http.user_agent.is_crawler_bot",
    from: "isCrawlerBot",
    read: (request) => request.isCrawlerBot ?? false,
  },
  {
    name: "http.user_agent.string",
    type: "string",
    doc: "The user agent as it was sent.",
    example: "http.user_agent.string contains 'HeadlessChrome'",
    from: "userAgent",
    read: (request) => request.userAgent ?? "",
  },
  {
    name: "http.request.headers",
    type: "headers",
    doc: "Header names to lists of their values. A header that was not sent is nil.",
    example:
      "http.request.headers['Origin'][0] == 'https://subdomain.example.com'",
    from: "headers",
    read: (request) => request.headers,
  },
  {
    name: "http.request.ip",
    type: "ip",
    doc: "The address of the client, to be compared with cidr() only.",
    example: "http.request.ip in cidr('203.0.113.0/24')",
    from: "ip",
    read: (request) => request.ip,
  },
  {
    name: "sdk.platform.name",
    type: "string",
    doc: "Where the agent runs: js, android, ios or unknown.",
    example: "sdk.platform.name == 'js'",
    from: "sdkPlatform",
    read: platformOf,
  },
  {
    name: "sdk.version",
    type: "string",
    doc: "The version of the agent.",
    example: "sdk.version startsWith '3.'",
    from: "sdkVersion",
    read: (request) => request.sdkVersion ?? "",
  },
  {
    name: "sdk.platform.app_package_name",
    type: "string",
    doc: "The package name or bundle ID of the app.",
    example: "sdk.platform.app_package_name == 'com.acme.default'",
    from: "appPackageName",
    read: (request) => request.appPackageName ?? "",
  },
  platform("android", "android"),
  platform("browser", "js"),
  platform("ios", "ios"),
  {
    name: "sdk.platform.is_unknown",
    type: "boolean",
    doc: "Whether the agent runs on none of the known platforms.",
    example: "sdk.platform.is_unknown",
    from: "sdkPlatform",
    read: (request) => platformOf(request) === "unknown",
  },
];

const BY_NAME: ReadonlyMap<string, Field> = new Map(
  FIELDS.map((field) => [field.name, field]),
);
const GROUPS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ name }) => {
    const parts = name.split(".");
    return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
  }),
);

/** The field of a full name, such as `sdk.version`. */
export function fieldNamed(name: string): Field | undefined {
  return BY_NAME.get(name);
}

/** Whether a name is the beginning of field names, such as `sdk.platform`. */
export function isFieldGroup(name: string): boolean {
  return GROUPS.has(name);
}

/** What may follow a group, or begin a name. */
export function namesUnder(group: string): string[] {
  const prefix = group === "" ? "" : `${group}.`;
  const under = FIELDS.filter(({ name }) => name.startsWith(prefix));
  return [
    ...new Set(
      under.map(({ name }) => name.slice(prefix.length).split(".", 1).join()),
    ),
  ];
}
