import type { Rule, RuleRequest } from "@devid/rules";
import fc from "fast-check";

const ORIGIN = "http.request.headers['Origin']";

const atom = fc.constantFrom(
  "true",
  "false",
  "sdk.platform.is_ios",
  "sdk.platform.is_browser",
  "sdk.platform.name != 'ios'",
  "sdk.version == '1.0.0'",
  "sdk.version startsWith '1'",
  "sdk.version in ['1.0.0', '2.0.0']",
  String.raw`sdk.version matches '^1\\.0\\.0$'`,
  "http.user_agent.is_crawler_bot",
  "http.request.ip in cidr('10.0.0.0/8')",
  "http.request.ip in cidr('10.1.0.0/16')",
  "http.request.ip not in cidr('10.1.0.0/16')",
  "http.request.ip in cidr('10.1.0.0/16') || http.request.ip in cidr('10.0.0.0/8')",
  "http.request.ip not in cidr('10.1.0.0/16') && http.request.ip not in cidr('10.0.0.0/8')",
  `${ORIGIN}[0] == 'https://a'`,
  `${ORIGIN}[0] != 'https://a'`,
  `${ORIGIN}[1] != 'https://a'`,
  `any(${ORIGIN}, # == 'https://a')`,
  `len(${ORIGIN}) > 0`,
  "'Origin' in http.request.headers",
);

/** Expressions over the values of `requests`. */
export const expression: fc.Arbitrary<string> = fc.letrec<{
  tree: string;
}>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: atom },
    tie("tree").map((tree) => `!(${tree})`),
    fc
      .tuple(tie("tree"), fc.constantFrom("&&", "||"), tie("tree"))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
  ),
})).tree;

/** Small rule sets, some rules disabled. */
export const rules: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({
      expression,
      action: fc.constantFrom("allow" as const, "deny" as const),
      status: fc.constantFrom(
        "enabled" as const,
        "enabled" as const,
        "enabled" as const,
        "disabled" as const,
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((made) => made.map((rule, i) => ({ name: `rule-${i}`, ...rule })));

const origins: readonly (readonly string[] | undefined)[] = [
  undefined,
  ["https://a"],
  ["https://b"],
  ["https://a", "https://b"],
];

const headersWith = (
  origin: readonly string[] | undefined,
): RuleRequest["headers"] => (origin ? { Origin: origin } : {});

/** One request for each combination of values that the expressions distinguish. */
export const requests: readonly RuleRequest[] = origins.flatMap((origin) =>
  ["", "1.0.0", "1.5.0", "2.0.0", "3.0.0"].flatMap((sdkVersion) =>
    [undefined, "10.1.2.3", "10.2.3.4", "192.0.2.1"].flatMap((ip) =>
      ["js", "ios", "android"].flatMap((sdkPlatform) =>
        [true, false].map((isCrawlerBot) => ({
          headers: headersWith(origin),
          sdkVersion,
          ip,
          sdkPlatform,
          isCrawlerBot,
        })),
      ),
    ),
  ),
);
