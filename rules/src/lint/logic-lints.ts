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
import { exampleRules, type Lint } from "./set/lint";

/** Lints of valid conditions that mean something else than they seem to. */
export const LOGIC_LINTS: readonly Lint[] = [
  {
    code: "constant-condition",
    severity: "warning",
    doc: "A part of a condition is true, or false, whatever the request.",
    detail:
      "No length and no number of elements is below 0, and two texts of the rule are the same in each request. `true` and `false` alone, as a whole condition, are not reported.",
    example: {
      found: exampleRules(
        "deny other-sites: count(http.request.headers['Origin'] ?? [], # == 'https://other.example') >= 0",
      ),
      fixed: exampleRules(
        "deny other-sites: count(http.request.headers['Origin'] ?? [], # == 'https://other.example') > 0",
      ),
    },
    of: "rule",
    find: findConstantCondition,
  },
  {
    code: "two-values",
    severity: "warning",
    doc: "Two values are asked of a header that has one at most.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have one value (RFC 9110; Fetch standard), which is not two texts at once.",
    example: {
      found: exampleRules(
        "deny other-sites: any(http.request.headers['Origin'], # == 'https://a.example') && any(http.request.headers['Origin'], # == 'https://b.example')",
      ),
      fixed: exampleRules(
        "deny other-sites: (any(http.request.headers['Origin'], # == 'https://a.example') || any(http.request.headers['Origin'], # == 'https://b.example'))",
      ),
    },
    unless: ["never-matches"],
    of: "rule",
    find: findTwoValues,
  },
  {
    code: "second-value",
    severity: "warning",
    doc: "A second value is read of a header that has one at most.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have one value (RFC 9110; Fetch standard). Places count from 0.",
    example: {
      found: exampleRules(
        "allow our-shop: http.request.headers['Origin'][1] == 'https://shop.example'",
        "deny others: true",
      ),
      fixed: exampleRules(
        "allow our-shop: http.request.headers['Origin'][0] == 'https://shop.example'",
        "deny others: true",
      ),
    },
    of: "rule",
    find: findSecondValue,
  },
  {
    code: "true-without-header",
    severity: "warning",
    doc: "A rule that allows by `all()`, by `none()` or by a count of 0 lets in what has no such header.",
    detail:
      "Of no values, all meet a condition, and none does (expr-lang). Whoever writes a client leaves the header out. It is said only where a later rule would deny the request.",
    example: {
      found: exampleRules(
        "allow our-shop: all(http.request.headers['Origin'], # == 'https://shop.example')",
        "deny others: true",
      ),
      fixed: exampleRules(
        "allow our-shop: ('Origin' in http.request.headers && all(http.request.headers['Origin'], # == 'https://shop.example'))",
        "deny others: true",
      ),
    },
    of: "enabled rule",
    find: findTrueWithoutHeader,
  },
  {
    code: "or-of-exclusions",
    severity: "warning",
    doc: "Two exclusions of different values stand beside `||`: one of them always holds.",
    detail: "A value that is the one is not the other. `&&` keeps both out.",
    example: {
      found: exampleRules(
        "deny other-apps: sdk.platform.app_package_name != 'com.acme.shop' || sdk.platform.app_package_name != 'com.acme.pay'",
      ),
      fixed: exampleRules(
        "deny other-apps: sdk.platform.app_package_name != 'com.acme.shop' && sdk.platform.app_package_name != 'com.acme.pay'",
      ),
    },
    of: "rule",
    find: findOrOfExclusions,
  },
  {
    code: "any-differs",
    severity: "warning",
    doc: "A rule denies by `any(list, # != value)`, which does not hold for a request without the header.",
    detail:
      "`any` asks for a value that differs, and where there is none, none differs. `none(list, # == value)` holds for such a request, too.",
    example: {
      found: exampleRules(
        "deny other-sites: any(http.request.headers['Origin'], # != 'https://shop.example')",
      ),
      fixed: exampleRules(
        "deny other-sites: none(http.request.headers['Origin'], # == 'https://shop.example')",
      ),
    },
    of: "rule",
    find: findAnyDiffers,
  },
  {
    code: "missing-header",
    severity: "warning",
    doc: "A header is compared with a text to ask whether it was not sent.",
    detail:
      "A header that was not sent has no value, and so neither `''` nor `-` or `null`. Browsers leave these headers out rather than send them empty.",
    example: {
      found: exampleRules(
        "deny no-referer: http.request.headers['Referer'][0] == ''",
      ),
      fixed: exampleRules(
        "deny no-referer: 'Referer' not in http.request.headers",
      ),
    },
    of: "rule",
    find: findMissingHeader,
  },
  {
    code: "mixed-operators",
    severity: "warning",
    doc: "`&&` and `||` stand side by side, and what seems to hold for all of a chain holds for one part of it.",
    detail:
      "`a && b || c` is `(a && b) || c`. It is said where b and c, or in `a || b && c` a and b, ask the same of one part of the request, and never where parentheses say what is meant.",
    example: {
      found: exampleRules(
        "deny tools-in-pages: sdk.platform.is_browser && http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/'",
      ),
      fixed: exampleRules(
        "deny tools-in-pages: sdk.platform.is_browser && (http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/')",
      ),
    },
    of: "rule",
    find: findMixedOperators,
  },
  {
    code: "repeated-value",
    severity: "note",
    doc: "A value stands in a list twice.",
    detail: "The second one changes nothing. Often another value was meant.",
    example: {
      found: exampleRules(
        "deny old-versions: sdk.version in ['3.0.0', '3.1.0', '3.0.0']",
      ),
      fixed: exampleRules(
        "deny old-versions: sdk.version in ['3.0.0', '3.1.0']",
      ),
    },
    of: "rule",
    find: findRepeatedValue,
  },
  {
    code: "repeated-condition",
    severity: "note",
    doc: "A condition stands in one chain of `&&` or `||` twice.",
    detail:
      "The second one changes nothing. Often another condition was meant.",
    example: {
      found: exampleRules(
        "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_ai_bot",
      ),
      fixed: exampleRules(
        "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot",
      ),
    },
    of: "rule",
    find: findRepeatedCondition,
  },
  {
    code: "same-branches",
    severity: "note",
    doc: "A choice has the same in both of its branches.",
    example: {
      found: exampleRules(
        "deny bots: sdk.platform.is_ios ? http.user_agent.is_ai_bot : http.user_agent.is_ai_bot",
      ),
      fixed: exampleRules("deny bots: http.user_agent.is_ai_bot"),
    },
    of: "rule",
    find: findSameBranches,
  },
  {
    code: "pattern-repeats",
    severity: "note",
    doc: "A pattern has a character of a class twice, or an alternative that another one finds, too.",
    detail: "Leaving it out changes nothing. Often another one was meant.",
    example: {
      found: exampleRules(
        "deny scanners: http.user_agent.string matches 'sqlmap|nikto|sqlmap'",
      ),
      fixed: exampleRules(
        "deny scanners: http.user_agent.string matches 'sqlmap|nikto'",
      ),
    },
    of: "rule",
    find: findRepeatedInPattern,
  },
  {
    code: "mapped-network",
    severity: "note",
    doc: "An IPv4 network is written as a part of IPv6.",
    detail:
      "`::ffff:203.0.113.0/120` and `203.0.113.0/24` are one network, whose addresses clients have as IPv4.",
    example: {
      found: exampleRules(
        "deny office: http.request.ip in cidr('::ffff:203.0.113.0/120')",
      ),
      fixed: exampleRules(
        "deny office: http.request.ip in cidr('203.0.113.0/24')",
      ),
    },
    of: "rule",
    find: findMappedNetwork,
  },
];
