import { findConstantCondition } from "./finders/constant-conditions";
import { findMixedOperators } from "./finders/logic";
import { findMissingHeader } from "./finders/missing-header";
import { findRepeated } from "./finders/repetitions";
import { exampleRules, type LintRow } from "./set/lint";

/** Lints of valid conditions that do not mean what they seem to mean. */
export const LOGIC_LINTS: Readonly<Record<string, LintRow>> = {
  "constant-condition": {
    doc: "A part of a condition has the same result for every request, or the whole condition has it for every request that clients send.",
    detail:
      "For example, no length is below 0, every value differs from one of two texts, and `true` decides a chain of `||`. `Origin`, `Referer`, `User-Agent` and others have at most one value (RFC 9110; Fetch standard), a tool such as `curl` names only itself in `User-Agent`, and a browser has no package name. A rule may deny more values than clients send, and `true` or `false` alone is not reported.",
    example: exampleRules(
      "deny other-sites: count(http.request.headers['Origin'] ?? [], # == 'https://other.example') >= 0",
    ),
    unless: ["header-name"],
    of: "rule",
    find: findConstantCondition,
  },
  "missing-header": {
    doc: "A condition decides requests without a header otherwise than it seems to.",
    detail:
      "A header that was not sent has no value. It does not equal `''`, `-` or `null`, and browsers do not send these headers without a value. `any(list, # != value)` is false without the header, so a deny rule lets the request through; `none(list, # == value)` is true. `all()`, `none()` and a count of 0 are true without the header (expr-lang), so a client passes an allow rule by not sending it; this is reported only if a later rule would deny the request.",
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
