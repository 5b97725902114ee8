import {
  APP,
  ORIGIN,
  REFERER,
  UA,
  deny,
  header,
  mistakes,
  only,
} from "./reported-mistake";

/** Mistakes in conditions, their order and networks. */
export const CONDITION_MISTAKES = mistakes("policy", [
  [
    "a count that is never negative",
    "constant-condition",
    deny(`count(${ORIGIN} ?? [], # == 'https://bad.example') >= 0`),
  ],
  [
    "the length of a filtered list, at least 0",
    "constant-condition",
    deny(`len(filter(${ORIGIN} ?? [], # == 'https://bad.example')) >= 0`),
  ],
  [
    "a count above -1",
    "constant-condition",
    deny(`count(${header("Accept")} ?? [], # == '*/*') > -1`),
  ],
  ["a length below 0", "constant-condition", deny(`len(${UA}) < 0`)],
  [
    "a length of at least 0",
    "constant-condition",
    deny(`sdk.platform.is_ios && len(${UA}) >= 0`),
  ],
  [
    "more than one value of a header that has one",
    "constant-condition",
    only(`count(${ORIGIN} ?? [], # == 'https://shop.example') > 1`),
  ],
  [
    "exactly two values of a header that has one",
    "constant-condition",
    only(`'Referer' in http.request.headers && len(${REFERER}) == 2`),
  ],
  [
    "less than two values of a header that has one",
    "constant-condition",
    deny(`len(${ORIGIN} ?? []) < 2`),
  ],
  [
    "a count of unequal values, which is 0 without the header",
    "true-without-header",
    only(`count(${ORIGIN} ?? [], # != 'https://pay.example') == 0`),
  ],
  [
    "a filtered list of unequal values, which is empty without the header",
    "true-without-header",
    only(`len(filter(${ORIGIN} ?? [], # != 'https://pay.example')) == 0`),
  ],
  [
    "none() of unequal values, which is true without the header",
    "true-without-header",
    only(`none(${ORIGIN}, # != 'https://pay.example')`),
  ],
  [
    "not any() of unequal values, which is true without the header",
    "true-without-header",
    only(`not any(${ORIGIN}, # != 'https://pay.example')`),
  ],
  [
    "one value that equals two texts",
    "two-values",
    deny(
      `any(${ORIGIN}, # == 'https://a.example' && # == 'https://b.example')`,
    ),
  ],
  [
    "two different values of a header that has one",
    "two-values",
    deny(
      `any(${ORIGIN}, # == 'https://a.example') && any(${ORIGIN}, # == 'https://b.example')`,
    ),
  ],
  [
    "not one beginning or not another beginning",
    "or-of-exclusions",
    deny(`${UA} not startsWith 'Mozilla/' || ${UA} not startsWith 'Opera/'`),
  ],
  [
    "does not contain one text or does not contain another",
    "or-of-exclusions",
    deny(`${UA} not contains 'Chrome/' || ${UA} not contains 'Firefox/'`),
  ],
  [
    "true left over from a test",
    "constant-condition",
    deny(`http.user_agent.is_ai_bot || true`),
  ],
  [
    "a comparison of two constants",
    "constant-condition",
    deny("'ios' == 'ios' && http.user_agent.is_ai_bot"),
  ],
  [
    "an equality of two different numbers",
    "constant-condition",
    deny("1 == 2"),
  ],
  [
    "a choice between two equal conditions",
    "same-branches",
    deny(
      "sdk.platform.is_ios ? http.user_agent.is_ai_bot : http.user_agent.is_ai_bot",
    ),
  ],
  [
    "a flag that is true and false",
    "never-matches",
    deny("sdk.platform.is_ios == false && sdk.platform.is_ios"),
  ],
  [
    "a platform that is not in the list",
    "never-matches",
    deny(
      "sdk.platform.name == 'ios' && sdk.platform.name in ['android', 'js']",
    ),
  ],
  [
    "none of all platforms",
    "never-matches",
    deny(
      "!sdk.platform.is_browser && !sdk.platform.is_ios && !sdk.platform.is_android && !sdk.platform.is_unknown",
    ),
  ],
  [
    "not one platform or not another platform",
    "deny-all",
    deny("!sdk.platform.is_browser || !sdk.platform.is_ios"),
  ],
  [
    "a version that equals one text and begins with another",
    "never-matches",
    deny("sdk.version == '3.1.0' && sdk.version startsWith '4.'"),
  ],
  [
    "an empty text with a length above 0",
    "never-matches",
    deny(`${UA} == '' && len(${UA}) > 0`),
  ],
  [
    "an exception for only the second condition, without parentheses",
    "mixed-operators",
    deny(
      `http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot && ${UA} not contains 'Googlebot'`,
    ),
  ],
  [
    "a version for only the second platform, without parentheses",
    "mixed-operators",
    only(
      "sdk.platform.is_ios || sdk.platform.is_android && sdk.version startsWith '3.'",
    ),
  ],
  [
    "the last deny rule is disabled",
    "allow-changes-nothing",
    ["allow sdk.platform.is_ios", "deny off true"],
  ],
  [
    "a text that begins with nothing",
    "pattern-matches-everything",
    deny(`${UA} startsWith ''`),
  ],
  [
    "a header that apps do not send, tested before the app",
    "may-fail",
    only(`${ORIGIN}[0] == 'https://pay.example' || sdk.platform.is_ios`),
  ],
  [
    "the guard after the condition that needs it",
    "may-fail",
    deny(
      `${REFERER}[0] contains 'bad.example' && 'Referer' in http.request.headers`,
    ),
  ],
  [
    "not() of a condition about a missing header",
    "may-fail",
    deny(`!(${ORIGIN}[0] startsWith 'https://')`),
  ],
  [
    "the same condition with its operands swapped",
    "duplicate",
    [
      "deny http.user_agent.is_ai_bot && sdk.platform.is_ios",
      "allow sdk.platform.is_ios && http.user_agent.is_ai_bot",
    ],
  ],
  [
    "a deny rule for a platform that an earlier rule allows by a flag",
    "shadowed",
    [
      "allow sdk.platform.is_browser",
      "deny sdk.platform.name == 'js' && http.user_agent.is_ai_bot",
    ],
  ],
  [
    "an exception for one value of a list, after the list",
    "shadowed",
    [`deny ${APP} in ['com.a', 'com.b']`, `allow ${APP} == 'com.a'`],
  ],
  [
    "a name that contains the name of an earlier rule",
    "shadowed",
    [`deny ${UA} contains 'bot'`, `deny ${UA} contains 'Googlebot'`],
  ],
  [
    "one version after a rule for all versions that begin like it",
    "shadowed",
    ["deny sdk.version startsWith '3.'", "allow sdk.version == '3.9.1'"],
  ],
  [
    "two allow rules, of which the first covers the second",
    "shadowed",
    [
      "allow sdk.platform.is_ios || sdk.platform.is_android",
      "allow sdk.platform.is_ios && sdk.version == '3.9.1'",
      "deny true",
    ],
  ],
  [
    "the two halves of all addresses",
    "network-of-all",
    deny(
      "http.request.ip in cidr('0.0.0.0/1') || http.request.ip in cidr('128.0.0.0/1')",
    ),
  ],
  [
    "an address with the mask of a larger network",
    "network-with-host-bits",
    only("http.request.ip in cidr('198.51.100.7/8')"),
  ],
  [
    "a network for benchmarks",
    "network-never-seen",
    only("http.request.ip in cidr('198.18.0.0/15')"),
  ],
  [
    "the unspecified address",
    "network-never-seen",
    only("http.request.ip in cidr('::/128')"),
  ],
  [
    "an address next to its own network",
    "overlapping-networks",
    deny(
      "http.request.ip in cidr('198.51.100.7/32') || http.request.ip in cidr('198.51.100.0/24')",
    ),
  ],
  [
    "an exception within a network, after the network",
    "shadowed",
    [
      "deny http.request.ip in cidr('198.51.0.0/16')",
      "allow http.request.ip in cidr('198.51.100.0/24')",
    ],
  ],
  [
    "every IPv6 address, because of the mask",
    "network-of-all",
    deny("http.request.ip in cidr('2001:db8::1/0')"),
  ],
]);
