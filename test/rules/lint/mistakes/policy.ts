import { APP, mistakes, only, ORIGIN, REFERER, UA } from "./reported-mistake";

/** Mistakes that teams report from linters of policy languages. */
export const POLICY_MISTAKES = mistakes("policy", [
  [
    "|| between two !=",
    "or-of-exclusions",
    ["deny sdk.platform.name != 'ios' || sdk.platform.name != 'android'"],
  ],
  [
    "|| between two != of a header",
    "or-of-exclusions",
    [
      `deny ${ORIGIN}[0] != 'https://a.example' || ${ORIGIN}[0] != 'https://b.example'`,
    ],
  ],
  [
    "|| between two exclusions by list",
    "or-of-exclusions",
    [`deny ${APP} not in ['com.a'] || ${APP} not in ['com.b']`],
  ],
  [
    "|| between two none()",
    "or-of-exclusions",
    [
      `deny none(${ORIGIN}, # == 'https://a.example') || none(${ORIGIN}, # == 'https://b.example')`,
    ],
  ],
  [
    "!= within any()",
    "any-differs",
    [`deny any(${ORIGIN}, # != 'https://pay.example')`],
  ],
  [
    "not in a list within any()",
    "any-differs",
    [
      `deny any(${ORIGIN}, # not in ['https://a.example', 'https://b.example'])`,
    ],
  ],
  [
    "not startsWith within any()",
    "any-differs",
    [`deny any(${REFERER}, # not startsWith 'https://pay.example/')`],
  ],
  [
    "all() of a missing header",
    "true-without-header",
    only(`all(${ORIGIN}, # == 'https://pay.example')`),
  ],
  [
    "all() of a missing header with a default",
    "true-without-header",
    only(`all(${ORIGIN} ?? [], # endsWith '.pay.example')`),
  ],
  [
    "none() of a missing header",
    "true-without-header",
    only(`none(${ORIGIN}, # endsWith '.bad.example')`),
  ],
  [
    "&& between two values",
    "never-matches",
    [`deny ${APP} == 'com.a' && ${APP} == 'com.b'`],
  ],
  [
    "&& between two platforms",
    "never-matches",
    ["deny sdk.platform.is_ios && sdk.platform.is_android"],
  ],
  [
    "a condition that is always true",
    "always-matches",
    ["deny http.user_agent.is_ai_bot || !http.user_agent.is_ai_bot"],
  ],
  [
    "a missing value with !=",
    "may-fail",
    [`deny ${ORIGIN}[0] != 'https://pay.example'`],
  ],
  [
    "a list of allow rules without a last deny rule",
    "allow-changes-nothing",
    [`allow any(${ORIGIN}, # == 'https://pay.example')`],
  ],
  [
    "a deny rule before a rule that denies everything",
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
    "the same condition twice",
    "repeated-condition",
    [
      `deny ${UA} contains 'sqlmap' || sdk.platform.is_ios || ${UA} contains 'sqlmap'`,
    ],
  ],
  [
    "a length above one number and below a smaller number",
    "never-matches",
    [`deny len(${UA}) > 500 && len(${UA}) < 20`],
  ],
  ["a length below 0", "constant-condition", [`deny len(${UA}) < 0`]],
  [
    "two ranges of lengths that cover everything",
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
    "two networks that exclude each other",
    "never-matches",
    [
      "deny http.request.ip in cidr('198.51.100.0/24') && http.request.ip in cidr('203.0.113.0/24')",
    ],
  ],
  [
    "outside of one network or outside of another",
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
    "each platform denied by its own rule",
    "deny-all",
    [
      "deny sdk.platform.is_ios",
      "deny sdk.platform.is_android",
      "deny sdk.platform.is_browser",
      "deny sdk.platform.is_unknown",
    ],
  ],
  [
    "a deny rule for requests that an earlier rule allows",
    "shadowed",
    [
      "allow http.user_agent.is_crawler_bot",
      "deny http.user_agent.is_crawler_bot && sdk.platform.is_browser",
    ],
  ],
]);
