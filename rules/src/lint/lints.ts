import { exampleRules, type Lint } from "./set/lint";
import {
  findDenyAll,
  findTooManyRules,
  findUnreachable,
  findDuplicate,
  findShadowed,
  findAllowChangesNothing,
  findDenyChangesNothing,
  findAlwaysMatches,
} from "./finders/rule-order";
import { findNeverMatches } from "./finders/never-matches";
import {
  findOverlappingNetworks,
  findNetworkWithHostBits,
} from "./finders/networks";
import { findAllDisabled } from "./finders/logic";
import { HEADER_LINTS } from "./header-lints";
import { LOGIC_LINTS } from "./logic-lints";
import { findMayFail } from "./finders/missing-values";
import { findNestedQuantifiers } from "./finders/nested-quantifiers";
import { findPlainRegex } from "./finders/plain-regex";
import { VALUE_LINTS } from "./values/value-lints";

/** Lints that explain why a rule matches no request, or every request. */
const NEVER_SENT = [
  "header-name-case",
  "unknown-value",
  "letter-case-of-function",
  "constant-condition",
  "two-values",
];

const VERSIONS = Array.from({ length: 16 }, (_, i) => `3.${i}`);

/**
 * Every lint, in the order in which the findings of a rule are shown.
 * docs/lint.md is made from this table.
 */
export const LINTS: readonly Lint[] = [
  {
    code: "deny-all",
    severity: "error",
    doc: "The rules let no request through.",
    detail: "Every identification request would be refused.",
    example: {
      found: exampleRules(
        "deny browsers: sdk.platform.is_browser",
        "deny others: !sdk.platform.is_browser",
      ),
      fixed: exampleRules(
        "allow browsers: sdk.platform.is_browser",
        "deny others: true",
      ),
    },
    of: "rule set",
    find: findDenyAll,
  },
  {
    code: "too-many-rules",
    severity: "warning",
    doc: "The set has more rules than an account has room for, disabled ones included.",
    detail:
      'The limit of 15 is from an older page of the public documentation and was written for lists of origins (docs/contract.md, "Account limits"); `--max-rules` sets another.',
    example: {
      found: exampleRules(
        ...VERSIONS.map(
          (version) => `deny version-${version}: sdk.version == '${version}'`,
        ),
      ),
      fixed: exampleRules(
        `deny old-versions: sdk.version in ['${VERSIONS.join("', '")}']`,
      ),
    },
    of: "rule set",
    find: findTooManyRules,
  },
  {
    code: "all-disabled",
    severity: "warning",
    doc: "Every rule is disabled.",
    detail: "Without an enabled rule, every request gets through.",
    example: {
      found: exampleRules("deny disabled bots: http.user_agent.is_ai_bot"),
      fixed: exampleRules("deny bots: http.user_agent.is_ai_bot"),
    },
    of: "rule set",
    find: findAllDisabled,
  },
  ...HEADER_LINTS,
  ...VALUE_LINTS,
  ...LOGIC_LINTS,
  {
    code: "never-matches",
    severity: "warning",
    doc: "No request can match this rule.",
    detail:
      "Its condition contradicts itself, or asks for what no request has: a platform other than `js`, `android`, `ios` and `unknown`, or a crawler that is an AI bot as well (docs/assumptions.md, A105).",
    example: {
      found: exampleRules(
        "deny old-agents: sdk.platform.name == 'android' && sdk.platform.name == 'ios'",
      ),
      fixed: exampleRules(
        "deny old-agents: sdk.platform.name == 'android' || sdk.platform.name == 'ios'",
      ),
    },
    unless: [...NEVER_SENT],
    of: "rule",
    find: findNeverMatches,
  },
  {
    code: "unreachable",
    severity: "warning",
    doc: "An earlier rule matches every request, so this one is never asked.",
    example: {
      found: exampleRules(
        "deny everyone: true",
        "allow apps: sdk.platform.is_ios",
      ),
      fixed: exampleRules(
        "allow apps: sdk.platform.is_ios",
        "deny everyone: true",
      ),
    },
    unless: [...NEVER_SENT, "never-matches"],
    of: "enabled rule",
    find: findUnreachable,
  },
  {
    code: "duplicate",
    severity: "warning",
    doc: "An earlier rule has the same condition, perhaps spelt in another way, and decides first.",
    example: {
      found: exampleRules(
        "deny crawlers: http.user_agent.is_crawler_bot",
        "allow search-engines: (http.user_agent['is_crawler_bot'])",
      ),
      fixed: exampleRules("deny crawlers: http.user_agent.is_crawler_bot"),
    },
    unless: [...NEVER_SENT, "never-matches", "unreachable"],
    of: "enabled rule",
    find: findDuplicate,
  },
  {
    code: "shadowed",
    severity: "warning",
    doc: "Earlier rules decide every request that this one could match.",
    example: {
      found: exampleRules(
        "deny office: http.request.ip in cidr('203.0.113.0/24')",
        "allow printer: http.request.ip in cidr('203.0.113.7/32')",
      ),
      fixed: exampleRules(
        "allow printer: http.request.ip in cidr('203.0.113.7/32')",
        "deny office: http.request.ip in cidr('203.0.113.0/24')",
      ),
    },
    unless: [...NEVER_SENT, "never-matches", "unreachable", "duplicate"],
    of: "enabled rule",
    find: findShadowed,
  },
  {
    code: "overlapping-networks",
    severity: "warning",
    doc: "A network lies within another one beside it, so it adds nothing.",
    detail:
      "The other one stands in the same condition, with nothing that can fail between a narrow one and a wide one behind it; or it makes up a later rule of the same action, with no rule that decides otherwise in between.",
    example: {
      found: exampleRules(
        "deny office: http.request.ip in cidr('198.51.100.0/24') || http.request.ip in cidr('198.51.100.0/28')",
      ),
      fixed: exampleRules(
        "deny office: http.request.ip in cidr('198.51.100.0/24') || http.request.ip in cidr('203.0.113.0/24')",
      ),
    },
    unless: [...NEVER_SENT, "unreachable", "duplicate", "shadowed"],
    of: "rule",
    find: findOverlappingNetworks,
  },
  {
    code: "allow-changes-nothing",
    severity: "warning",
    doc: "What this rule allows would be allowed without it: no rule behind it denies any of it.",
    detail:
      "A request that no rule matches is allowed, so rules that allow need one behind them that denies the rest. That is often what is missing.",
    example: {
      found: exampleRules(
        "allow our-shop: any(http.request.headers['Origin'], # == 'https://shop.example')",
      ),
      fixed: exampleRules(
        "allow our-shop: any(http.request.headers['Origin'], # == 'https://shop.example')",
        "deny others: true",
      ),
    },
    unless: [
      ...NEVER_SENT,
      "never-matches",
      "unreachable",
      "duplicate",
      "shadowed",
    ],
    of: "enabled rule",
    find: findAllowChangesNothing,
  },
  {
    code: "deny-changes-nothing",
    severity: "note",
    doc: "What this rule denies would be denied without it: the rules behind it deny all of it.",
    detail:
      "It may stand there for the record, or a rule that allows is missing behind it.",
    example: {
      found: exampleRules(
        "allow apps: sdk.platform.is_ios",
        "deny bots: http.user_agent.is_ai_bot && sdk.platform.is_android",
        "deny others: true",
      ),
      fixed: exampleRules(
        "allow apps: sdk.platform.is_ios",
        "deny others: true",
      ),
    },
    unless: [
      ...NEVER_SENT,
      "never-matches",
      "unreachable",
      "duplicate",
      "shadowed",
    ],
    of: "enabled rule",
    find: findDenyChangesNothing,
  },
  {
    code: "always-matches",
    severity: "note",
    doc: "This condition is true of every request, and does not say so.",
    detail:
      "A rule for all the rest, as the last one often is, says so with `true`, and is not noted.",
    example: {
      found: exampleRules(
        "allow apps: sdk.platform.is_ios",
        "deny others: sdk.platform.is_browser || !sdk.platform.is_browser",
      ),
      fixed: exampleRules(
        "allow apps: sdk.platform.is_ios",
        "deny others: true",
      ),
    },
    unless: [
      "or-of-exclusions",
      ...NEVER_SENT,
      "pattern-matches-everything",
      "unreachable",
      "duplicate",
      "shadowed",
    ],
    of: "enabled rule",
    find: findAlwaysMatches,
  },
  {
    code: "may-fail",
    severity: "warning",
    doc: "A value that a request lacks makes the condition fail, and so the rules decide otherwise than they say.",
    detail:
      "Reading the first value of a header fails where there is none, and a rule that fails does not match (docs/assumptions.md, A40). Mostly that is right: `http.request.headers['Origin'][0] == 'https://shop.example'` does not match a request without an Origin, and nothing is said of it. A finding means that such a request gets through, or is denied, against what the condition says if a missing value differs from every other: with `!=`, with `!(... == ...)`, and with `... == ... || b` where `b` holds. Where the other rules decide the request the same, there is none. Of the two fixes the first changes no decision and shows what happens; the second takes a missing value for a different one, be the header not sent or sent without a value, and changes nothing else.",
    example: {
      found: exampleRules(
        "deny other-sites: http.request.headers['Origin'][0] != 'https://shop.example'",
      ),
      fixed: exampleRules(
        "deny other-sites: none(http.request.headers['Origin'], # == 'https://shop.example')",
      ),
    },
    unless: [...NEVER_SENT],
    of: "rule",
    find: findMayFail,
  },
  {
    code: "network-with-host-bits",
    severity: "note",
    doc: "The address of a network has bits set behind its mask.",
    detail: "They are ignored, so that the network is another than it seems.",
    example: {
      found: exampleRules(
        "deny office: http.request.ip in cidr('203.0.113.5/24')",
      ),
      fixed: exampleRules(
        "deny office: http.request.ip in cidr('203.0.113.0/24')",
      ),
    },
    of: "rule",
    find: findNetworkWithHostBits,
  },
  {
    code: "nested-quantifiers",
    severity: "warning",
    doc: "A quantifier stands in the condition of another one.",
    detail:
      "The inner one is evaluated for each value of the outer one, though it cannot see that value: `#` is its own. Every level multiplies the steps, and beyond 100,000 values of nested quantifiers the expression fails, so that the rule does not match (docs/assumptions.md, A189). Whoever sends many values of a header decides that.",
    example: {
      found: exampleRules(
        "deny partner: any(http.request.headers['X-Partner'], # == 'a' && any(http.request.headers['X-Team'], # == 'b'))",
      ),
      fixed: exampleRules(
        "deny partner: any(http.request.headers['X-Partner'], # == 'a') && any(http.request.headers['X-Team'], # == 'b')",
      ),
    },
    of: "rule",
    find: findNestedQuantifiers,
  },
  {
    code: "plain-regex",
    severity: "note",
    // A mistake that they find in a pattern would be in the plain comparison, too.
    unless: VALUE_LINTS.map(({ code }) => code),
    doc: "A pattern has nothing in it but text.",
    detail:
      "`==`, `startsWith`, `endsWith` or `contains` says the same and is easier to read.",
    example: {
      found: exampleRules(
        "allow version-3: sdk.version matches '^3\\\\.'",
        "deny others: true",
      ),
      fixed: exampleRules(
        "allow version-3: sdk.version startsWith '3.'",
        "deny others: true",
      ),
    },
    of: "rule",
    find: findPlainRegex,
  },
];
