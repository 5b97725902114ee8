import { findConstantCondition } from "./finders/constants";
import {
  findMappedNetwork,
  findMixedOperators,
  findOrOfExclusions,
  findSecondValue,
  findTwoValues,
} from "./finders/logic";
import {
  findAnyDiffers,
  findMissingHeader,
  findTrueWithoutHeader,
} from "./finders/missing-header";
import {
  findRepeatedCondition,
  findRepeatedInPattern,
  findRepeatedValue,
  findSameBranches,
} from "./finders/repetitions";
import type { Lint } from "./set/lint";

/** Lints of valid conditions that do not mean what they seem to mean. */
export const LOGIC_LINTS: readonly Lint[] = [
  {
    code: "constant-condition",
    severity: "warning",
    doc: "A part of a condition is true for every request, or false for every request.",
    detail:
      "For example, no length is below 0, and a comparison of two literals never changes. A whole condition `true` or `false` is not reported.",
    example: {
      found: [
        {
          name: "other-sites",
          expression:
            "count(http.request.headers['Origin'] ?? [], # == 'https://other.example') >= 0",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "other-sites",
          expression:
            "count(http.request.headers['Origin'] ?? [], # == 'https://other.example') > 0",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findConstantCondition,
  },
  {
    code: "two-values",
    severity: "warning",
    doc: "A condition requires two values of a header that has at most one value.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have at most one value (RFC 9110; Fetch standard), which cannot equal two texts.",
    example: {
      found: [
        {
          name: "other-sites",
          expression:
            "any(http.request.headers['Origin'], # == 'https://a.example') && any(http.request.headers['Origin'], # == 'https://b.example')",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "other-sites",
          expression:
            "(any(http.request.headers['Origin'], # == 'https://a.example') || any(http.request.headers['Origin'], # == 'https://b.example'))",
          action: "deny",
        },
      ],
    },
    unless: ["never-matches"],
    of: "rule",
    find: findTwoValues,
  },
  {
    code: "second-value",
    severity: "warning",
    doc: "A condition reads the second value of a header that has at most one value.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have at most one value (RFC 9110; Fetch standard). The first value has the index 0.",
    example: {
      found: [
        {
          name: "our-shop",
          expression:
            "http.request.headers['Origin'][1] == 'https://shop.example'",
          action: "allow",
        },
        {
          name: "others",
          expression: "true",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "our-shop",
          expression:
            "http.request.headers['Origin'][0] == 'https://shop.example'",
          action: "allow",
        },
        {
          name: "others",
          expression: "true",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findSecondValue,
  },
  {
    code: "true-without-header",
    severity: "warning",
    doc: "An allow rule with `all()`, `none()` or a count of 0 also matches requests without the header.",
    detail:
      "`all()` and `none()` of an empty list are true (expr-lang), so a client passes the rule by not sending the header. This is reported only if a later rule would deny the request.",
    example: {
      found: [
        {
          name: "our-shop",
          expression:
            "all(http.request.headers['Origin'], # == 'https://shop.example')",
          action: "allow",
        },
        {
          name: "others",
          expression: "true",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "our-shop",
          expression:
            "('Origin' in http.request.headers && all(http.request.headers['Origin'], # == 'https://shop.example'))",
          action: "allow",
        },
        {
          name: "others",
          expression: "true",
          action: "deny",
        },
      ],
    },
    of: "enabled rule",
    find: findTrueWithoutHeader,
  },
  {
    code: "or-of-exclusions",
    severity: "warning",
    doc: "`||` joins two exclusions of different values. One of them is always true.",
    detail:
      "Every value differs from at least one of two texts. `&&` excludes both.",
    example: {
      found: [
        {
          name: "other-apps",
          expression:
            "sdk.platform.app_package_name != 'com.acme.shop' || sdk.platform.app_package_name != 'com.acme.pay'",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "other-apps",
          expression:
            "sdk.platform.app_package_name != 'com.acme.shop' && sdk.platform.app_package_name != 'com.acme.pay'",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findOrOfExclusions,
  },
  {
    code: "any-differs",
    severity: "warning",
    doc: "A deny rule has `any(list, # != value)`, which is false for a request without the header.",
    detail:
      "`any` needs a value that differs, and a request without the header has no value. `none(list, # == value)` is true for such a request, too.",
    example: {
      found: [
        {
          name: "other-sites",
          expression:
            "any(http.request.headers['Origin'], # != 'https://shop.example')",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "other-sites",
          expression:
            "none(http.request.headers['Origin'], # == 'https://shop.example')",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findAnyDiffers,
  },
  {
    code: "missing-header",
    severity: "warning",
    doc: "A header is compared with a text to test whether it was sent.",
    detail:
      "A header that was not sent has no value. It does not equal `''`, `-` or `null`. Browsers do not send these headers without a value.",
    example: {
      found: [
        {
          name: "no-referer",
          expression: "http.request.headers['Referer'][0] == ''",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "no-referer",
          expression: "'Referer' not in http.request.headers",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findMissingHeader,
  },
  {
    code: "mixed-operators",
    severity: "warning",
    doc: "A chain mixes `&&` and `||` without parentheses, and a condition applies to only one part of the chain.",
    detail:
      "`a && b || c` means `(a && b) || c`. This is reported if `b` and `c` test the same part of the request, or `a` and `b` in `a || b && c`. With parentheses, nothing is reported.",
    example: {
      found: [
        {
          name: "tools-in-pages",
          expression:
            "sdk.platform.is_browser && http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/'",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "tools-in-pages",
          expression:
            "sdk.platform.is_browser && (http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/')",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findMixedOperators,
  },
  {
    code: "repeated-value",
    severity: "note",
    doc: "A list has a value twice.",
    detail: "The second one changes nothing. Often another value was meant.",
    example: {
      found: [
        {
          name: "old-versions",
          expression: "sdk.version in ['3.0.0', '3.1.0', '3.0.0']",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "old-versions",
          expression: "sdk.version in ['3.0.0', '3.1.0']",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findRepeatedValue,
  },
  {
    code: "repeated-condition",
    severity: "note",
    doc: "A chain of `&&` or `||` has a condition twice.",
    detail:
      "The second one changes nothing. Often another condition was meant.",
    example: {
      found: [
        {
          name: "bots",
          expression: "http.user_agent.is_ai_bot || http.user_agent.is_ai_bot",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "bots",
          expression:
            "http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findRepeatedCondition,
  },
  {
    code: "same-branches",
    severity: "note",
    doc: "Both branches of a choice are the same.",
    example: {
      found: [
        {
          name: "bots",
          expression:
            "sdk.platform.is_ios ? http.user_agent.is_ai_bot : http.user_agent.is_ai_bot",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "bots",
          expression: "http.user_agent.is_ai_bot",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findSameBranches,
  },
  {
    code: "pattern-repeats",
    severity: "note",
    doc: "A character class has a character twice, or an alternative of a pattern is covered by another alternative.",
    detail:
      "Removing it changes nothing. Often another character or text was meant.",
    example: {
      found: [
        {
          name: "scanners",
          expression: "http.user_agent.string matches 'sqlmap|nikto|sqlmap'",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "scanners",
          expression: "http.user_agent.string matches 'sqlmap|nikto'",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findRepeatedInPattern,
  },
  {
    code: "mapped-network",
    severity: "note",
    doc: "An IPv4 network is written as a part of IPv6.",
    detail:
      "`::ffff:203.0.113.0/120` and `203.0.113.0/24` are the same network. Clients in it have IPv4 addresses.",
    example: {
      found: [
        {
          name: "office",
          expression: "http.request.ip in cidr('::ffff:203.0.113.0/120')",
          action: "deny",
        },
      ],
      fixed: [
        {
          name: "office",
          expression: "http.request.ip in cidr('203.0.113.0/24')",
          action: "deny",
        },
      ],
    },
    of: "rule",
    find: findMappedNetwork,
  },
];
