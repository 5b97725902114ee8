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
    "the length of a filtered list, at least nought",
    "constant-condition",
    deny(`len(filter(${ORIGIN} ?? [], # == 'https://bad.example')) >= 0`),
  ],
  [
    "a count above minus one",
    "constant-condition",
    deny(`count(${header("Accept")} ?? [], # == '*/*') > -1`),
  ],
  ["a length below nought", "constant-condition", deny(`len(${UA}) < 0`)],
  [
    "a length of at least nought",
    "constant-condition",
    deny(`sdk.platform.is_ios && len(${UA}) >= 0`),
  ],
  [
    "more than one value of a header that has one",
    "constant-condition",
    only(`count(${ORIGIN} ?? [], # == 'https://shop.example') > 1`),
  ],
  [
    "a header with one value that has two of them",
    "constant-condition",
    only(`'Referer' in http.request.headers && len(${REFERER}) == 2`),
  ],
  [
    "less than two values of a header that has one",
    "constant-condition",
    deny(`len(${ORIGIN} ?? []) < 2`),
  ],
  [
    "nothing is counted where nothing is there",
    "true-without-header",
    only(`count(${ORIGIN} ?? [], # != 'https://pay.example') == 0`),
  ],
  [
    "nothing is left where nothing is there",
    "true-without-header",
    only(`len(filter(${ORIGIN} ?? [], # != 'https://pay.example')) == 0`),
  ],
  [
    "none differs where nothing is there",
    "true-without-header",
    only(`none(${ORIGIN}, # != 'https://pay.example')`),
  ],
  [
    "not any differs, where nothing is there",
    "true-without-header",
    only(`not any(${ORIGIN}, # != 'https://pay.example')`),
  ],
  [
    "one value that is two",
    "two-values",
    deny(
      `any(${ORIGIN}, # == 'https://a.example' && # == 'https://b.example')`,
    ),
  ],
  [
    "two values of a header that has one",
    "two-values",
    deny(
      `any(${ORIGIN}, # == 'https://a.example') && any(${ORIGIN}, # == 'https://b.example')`,
    ),
  ],
  [
    "not the one or not the other beginning",
    "or-of-exclusions",
    deny(`${UA} not startsWith 'Mozilla/' || ${UA} not startsWith 'Opera/'`),
  ],
  [
    "does not contain the one or not the other",
    "or-of-exclusions",
    deny(`${UA} not contains 'Chrome/' || ${UA} not contains 'Firefox/'`),
  ],
  [
    "true that was left from a test",
    "constant-condition",
    deny(`http.user_agent.is_ai_bot || true`),
  ],
  [
    "a comparison of two constants",
    "constant-condition",
    deny("'ios' == 'ios' && http.user_agent.is_ai_bot"),
  ],
  ["two numbers that differ", "constant-condition", deny("1 == 2")],
  [
    "a choice between the same",
    "same-branches",
    deny(
      "sdk.platform.is_ios ? http.user_agent.is_ai_bot : http.user_agent.is_ai_bot",
    ),
  ],
  [
    "a flag that is and is not",
    "never-matches",
    deny("sdk.platform.is_ios == false && sdk.platform.is_ios"),
  ],
  [
    "one of a list that is excluded",
    "never-matches",
    deny(
      "sdk.platform.name == 'ios' && sdk.platform.name in ['android', 'js']",
    ),
  ],
  [
    "no platform at all",
    "never-matches",
    deny(
      "!sdk.platform.is_browser && !sdk.platform.is_ios && !sdk.platform.is_android && !sdk.platform.is_unknown",
    ),
  ],
  [
    "not the one platform or not the other",
    "deny-all",
    deny("!sdk.platform.is_browser || !sdk.platform.is_ios"),
  ],
  [
    "a version that begins in two ways",
    "never-matches",
    deny("sdk.version == '3.1.0' && sdk.version startsWith '4.'"),
  ],
  [
    "an empty text that has a length",
    "never-matches",
    deny(`${UA} == '' && len(${UA}) > 0`),
  ],
  [
    "the exception holds for the second of two",
    "mixed-operators",
    deny(
      `http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot && ${UA} not contains 'Googlebot'`,
    ),
  ],
  [
    "the version is asked of the second of two platforms",
    "mixed-operators",
    only(
      "sdk.platform.is_ios || sdk.platform.is_android && sdk.version startsWith '3.'",
    ),
  ],
  [
    "the last ban is switched off",
    "allow-changes-nothing",
    ["allow sdk.platform.is_ios", "deny off true"],
  ],
  [
    "everything begins with nothing",
    "pattern-matches-everything",
    deny(`${UA} startsWith ''`),
  ],
  [
    "an app is not let in, for a header that it does not send comes first",
    "may-fail",
    only(`${ORIGIN}[0] == 'https://pay.example' || sdk.platform.is_ios`),
  ],
  [
    "the guard stands behind what it guards",
    "may-fail",
    deny(
      `${REFERER}[0] contains 'bad.example' && 'Referer' in http.request.headers`,
    ),
  ],
  [
    "not of a header that was not sent",
    "may-fail",
    deny(`!(${ORIGIN}[0] startsWith 'https://')`),
  ],
  [
    "one condition, its parts swapped",
    "duplicate",
    [
      "deny http.user_agent.is_ai_bot && sdk.platform.is_ios",
      "allow sdk.platform.is_ios && http.user_agent.is_ai_bot",
    ],
  ],
  [
    "a ban of what a flag let in under another name",
    "shadowed",
    [
      "allow sdk.platform.is_browser",
      "deny sdk.platform.name == 'js' && http.user_agent.is_ai_bot",
    ],
  ],
  [
    "an exception for one of a list, behind it",
    "shadowed",
    [`deny ${APP} in ['com.a', 'com.b']`, `allow ${APP} == 'com.a'`],
  ],
  [
    "a name that has another name in it, behind it",
    "shadowed",
    [`deny ${UA} contains 'bot'`, `deny ${UA} contains 'Googlebot'`],
  ],
  [
    "one version behind all of its kind",
    "shadowed",
    ["deny sdk.version startsWith '3.'", "allow sdk.version == '3.9.1'"],
  ],
  [
    "two lets, of which the second is a part",
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
    "an address of the office with the mask of a class A",
    "network-with-host-bits",
    only("http.request.ip in cidr('198.51.100.7/8')"),
  ],
  [
    "addresses for benchmarks",
    "network-never-seen",
    only("http.request.ip in cidr('198.18.0.0/15')"),
  ],
  [
    "the address of nobody",
    "network-never-seen",
    only("http.request.ip in cidr('::/128')"),
  ],
  [
    "an address beside its network",
    "overlapping-networks",
    deny(
      "http.request.ip in cidr('198.51.100.7/32') || http.request.ip in cidr('198.51.100.0/24')",
    ),
  ],
  [
    "the exception within a network, behind it",
    "shadowed",
    [
      "deny http.request.ip in cidr('198.51.0.0/16')",
      "allow http.request.ip in cidr('198.51.100.0/24')",
    ],
  ],
  [
    "everybody on IPv6, by its mask",
    "network-of-all",
    deny("http.request.ip in cidr('2001:db8::1/0')"),
  ],
]);
