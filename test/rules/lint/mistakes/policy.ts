import { APP, mistakes, only, ORIGIN, REFERER, UA } from "./reported-mistake";

/** Mistakes that teams report from linters of policy languages. */
export const POLICY_MISTAKES = mistakes("policy", [
  [
    "or between two exclusions",
    "or-of-exclusions",
    ["deny sdk.platform.name != 'ios' || sdk.platform.name != 'android'"],
  ],
  [
    "or between two exclusions of a header",
    "or-of-exclusions",
    [
      `deny ${ORIGIN}[0] != 'https://a.example' || ${ORIGIN}[0] != 'https://b.example'`,
    ],
  ],
  [
    "or between two lists of exclusions",
    "or-of-exclusions",
    [`deny ${APP} not in ['com.a'] || ${APP} not in ['com.b']`],
  ],
  [
    "or between two none()",
    "or-of-exclusions",
    [
      `deny none(${ORIGIN}, # == 'https://a.example') || none(${ORIGIN}, # == 'https://b.example')`,
    ],
  ],
  [
    "not equal within a loop",
    "any-differs",
    [`deny any(${ORIGIN}, # != 'https://pay.example')`],
  ],
  [
    "not in a list, within a loop",
    "any-differs",
    [
      `deny any(${ORIGIN}, # not in ['https://a.example', 'https://b.example'])`,
    ],
  ],
  [
    "not contains within a loop",
    "any-differs",
    [`deny any(${REFERER}, # not startsWith 'https://pay.example/')`],
  ],
  [
    "all of nothing",
    "true-without-header",
    only(`all(${ORIGIN}, # == 'https://pay.example')`),
  ],
  [
    "all of nothing, with a default",
    "true-without-header",
    only(`all(${ORIGIN} ?? [], # endsWith '.pay.example')`),
  ],
  [
    "none of nothing",
    "true-without-header",
    only(`none(${ORIGIN}, # endsWith '.bad.example')`),
  ],
  [
    "and between two values",
    "never-matches",
    [`deny ${APP} == 'com.a' && ${APP} == 'com.b'`],
  ],
  [
    "and between two platforms",
    "never-matches",
    ["deny sdk.platform.is_ios && sdk.platform.is_android"],
  ],
  [
    "what is always true",
    "always-matches",
    ["deny http.user_agent.is_ai_bot || !http.user_agent.is_ai_bot"],
  ],
  [
    "a missing value with !=",
    "may-fail",
    [`deny ${ORIGIN}[0] != 'https://pay.example'`],
  ],
  [
    "an allow list without its end",
    "allow-changes-nothing",
    [`allow any(${ORIGIN}, # == 'https://pay.example')`],
  ],
  [
    "a ban in front of a ban of everything",
    "deny-changes-nothing",
    [
      "allow sdk.platform.is_ios",
      "deny http.user_agent.is_ai_bot && sdk.platform.is_android",
      "deny true",
    ],
  ],
  [
    "everything is denied",
    "deny-all",
    ["deny sdk.platform.is_ios", "deny !sdk.platform.is_ios"],
  ],
  [
    "a condition twice",
    "repeated-condition",
    [
      `deny ${UA} contains 'sqlmap' || sdk.platform.is_ios || ${UA} contains 'sqlmap'`,
    ],
  ],
  [
    "a length from more to less",
    "never-matches",
    [`deny len(${UA}) > 500 && len(${UA}) < 20`],
  ],
  ["a length below nothing", "constant-condition", [`deny len(${UA}) < 0`]],
  [
    "two lengths that are everything",
    "always-matches",
    [`deny len(${UA}) < 500 || len(${UA}) > 20`],
  ],
  [
    "a header that is missing and has a value",
    "never-matches",
    [
      `deny 'Origin' not in http.request.headers && ${ORIGIN}[0] == 'https://pay.example'`,
    ],
  ],
  [
    "a choice that is never true",
    "never-matches",
    ["deny sdk.platform.is_ios ? sdk.platform.is_android : false"],
  ],
  [
    "two networks at once",
    "never-matches",
    [
      "deny http.request.ip in cidr('198.51.100.0/24') && http.request.ip in cidr('203.0.113.0/24')",
    ],
  ],
  [
    "outside of one of two networks",
    "or-of-exclusions",
    [
      "allow http.request.ip not in cidr('198.51.100.0/24') || http.request.ip not in cidr('203.0.113.0/24')",
    ],
  ],
  [
    "two flags of a bot at once",
    "never-matches",
    ["deny http.user_agent.is_crawler_bot && http.user_agent.is_ai_bot"],
  ],
  [
    "each platform is denied by a rule of its own",
    "deny-all",
    [
      "deny sdk.platform.is_ios",
      "deny sdk.platform.is_android",
      "deny sdk.platform.is_browser",
      "deny sdk.platform.is_unknown",
    ],
  ],
  [
    "what an allowed kind was denied behind it",
    "shadowed",
    [
      "allow http.user_agent.is_crawler_bot",
      "deny http.user_agent.is_crawler_bot && sdk.platform.is_browser",
    ],
  ],
]);
