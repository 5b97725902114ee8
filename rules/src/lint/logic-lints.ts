import { findConstantCondition } from "./finders/constants";
import {
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
import { findRepeated } from "./finders/repetitions";
import { exampleRules, type LintRow } from "./set/lint";

/** Lints of valid conditions that do not mean what they seem to mean. */
export const LOGIC_LINTS: Readonly<Record<string, LintRow>> = {
  "constant-condition": {
    doc: "A part of a condition is true for every request, or false for every request.",
    detail:
      "For example, no length is below 0, a request has one `Origin` at most, and a comparison of two literals never changes. A whole condition `true` or `false` is not reported.",
    example: exampleRules(
      "deny other-sites: count(http.request.headers['Origin'] ?? [], # == 'https://other.example') >= 0",
    ),
    of: "rule",
    find: findConstantCondition,
  },
  "two-values": {
    doc: "A condition requires two values of a header that has at most one value, or two tools in a user agent.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have at most one value (RFC 9110; Fetch standard), which cannot equal two texts. `curl`, `Wget` and other tools name only themselves in `User-Agent`.",
    example: exampleRules(
      "deny other-sites: any(http.request.headers['Origin'], # == 'https://a.example') && any(http.request.headers['Origin'], # == 'https://b.example')",
    ),
    unless: ["never-matches"],
    of: "rule",
    find: findTwoValues,
  },
  "second-value": {
    doc: "A condition reads the second value of a header that has at most one value.",
    detail:
      "`Origin`, `Referer`, `User-Agent` and others have at most one value (RFC 9110; Fetch standard). The first value has the index 0.",
    example: exampleRules(
      "allow our-shop: http.request.headers['Origin'][1] == 'https://shop.example'",
      "deny others: true",
    ),
    of: "rule",
    find: findSecondValue,
  },
  "true-without-header": {
    doc: "An allow rule with `all()`, `none()` or a count of 0 also matches requests without the header.",
    detail:
      "`all()` and `none()` of an empty list are true (expr-lang), so a client passes the rule by not sending the header. This is reported only if a later rule would deny the request.",
    example: exampleRules(
      "allow our-shop: all(http.request.headers['Origin'], # == 'https://shop.example')",
      "deny others: true",
    ),
    of: "enabled rule",
    find: findTrueWithoutHeader,
  },
  "or-of-exclusions": {
    doc: "`||` joins two exclusions of different values. One of them is always true.",
    detail:
      "Every value differs from at least one of two texts. `&&` excludes both.",
    example: exampleRules(
      "deny other-apps: sdk.platform.app_package_name != 'com.acme.shop' || sdk.platform.app_package_name != 'com.acme.pay'",
    ),
    of: "rule",
    find: findOrOfExclusions,
  },
  "any-differs": {
    doc: "A deny rule has `any(list, # != value)`, which is false for a request without the header.",
    detail:
      "`any` needs a value that differs, and a request without the header has no value. `none(list, # == value)` is true for such a request, too.",
    example: exampleRules(
      "deny other-sites: any(http.request.headers['Origin'], # != 'https://shop.example')",
    ),
    of: "rule",
    find: findAnyDiffers,
  },
  "missing-header": {
    doc: "A header is compared with a text to test whether it was sent.",
    detail:
      "A header that was not sent has no value. It does not equal `''`, `-` or `null`. Browsers do not send these headers without a value.",
    example: exampleRules(
      "deny no-referer: http.request.headers['Referer'][0] == ''",
    ),
    of: "rule",
    find: findMissingHeader,
  },
  "mixed-operators": {
    doc: "A chain mixes `&&` and `||` without parentheses, and a condition applies to only one part of the chain.",
    detail:
      "`a && b || c` means `(a && b) || c`. This is reported if `b` and `c` test the same part of the request, or `a` and `b` in `a || b && c`. With parentheses, nothing is reported.",
    example: exampleRules(
      "deny tools-in-pages: sdk.platform.is_browser && http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/'",
    ),
    of: "rule",
    find: findMixedOperators,
  },
  repeated: {
    severity: "note",
    doc: "A value, a condition, a network or a part of a pattern adds nothing, because it is there twice or another one covers it.",
    detail:
      "Removing it changes nothing. Often another value was meant. A network that lies in another network of the same chain is a warning. In such a chain, no part between a narrow network and a wider network behind it may fail.",
    example: exampleRules(
      "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_ai_bot",
    ),
    fixed: exampleRules(
      "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot",
    ),
    of: "rule",
    find: findRepeated,
  },
};
