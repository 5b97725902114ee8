import {
  findAlwaysMatches,
  findConstantCondition,
  findNeverMatches,
} from "./finders/constant-conditions";
import { findHeaderNames } from "./finders/header-names";
import {
  findAllDisabled,
  findMixedOperators,
  findNestedQuantifiers,
  findPlainRegex,
} from "./finders/logic";
import { findMayFail } from "./finders/missing-values";
import { findMissingHeader } from "./finders/missing-header";
import { findOtherClients } from "./finders/other-clients";
import { findRepeated } from "./finders/repetitions";
import {
  findChangesNothing,
  findDenyAll,
  findTooManyRules,
  findUnreachable,
} from "./finders/rule-order";
import { exampleRules, type Lint, type LintRow } from "./set/lint";
import { findInTexts } from "./texts/find-in-texts";
import { findInNetworks } from "./texts/networks";
import { FACTS } from "./texts/sent-texts";

/** Lints that explain why a rule matches no request, or every request. */
const NEVER_SENT = ["header-name", "never-sent", "constant-condition"];

const VERSIONS = Array.from({ length: 16 }, (_, i) => `3.${i}.0`);

/** Lints of the texts that parts of a request are compared with. */
const TEXT_LINTS: Readonly<Record<string, LintRow>> = {
  "pattern-typo": {
    doc: "A pattern does not mean what it seems to mean, or is found in every text.",
    detail:
      "Patterns are RE2, without slashes around them. `^` and `$` belong only to the alternative that they stand in. `[...]` matches one character, so `[^c]bot` does not find CCBot. `*` repeats the character before it, and `{1,2}` has a comma. A space beside `|` and a doubled backslash are part of the text that is looked for. An empty alternative is found in every text.",
    example: "deny scanners: http.user_agent.string matches 'sqlmap | masscan'",
    find: findInTexts("pattern-typo"),
  },
  "never-sent": {
    doc: "A part of a request is compared with a text that no client sends there.",
    detail:
      "Lint knows what browsers, apps, tools and proxies send (RFC 5646, 5952, 6454, 9110 and 9112; URL standard; W3C; MDN; docs/assumptions.md, A105; their documentation), in each form that the header's grammar allows, such as letter case, longer lists and ports. User agents have words of their own: Windows 7 is `Windows NT 6.1`, iOS is `iPhone OS`, Edge is `Edg`, and no browser names the tool that drives it. Letter case counts: `python` is not in `Python-urllib`.",
    facts: FACTS,
    example: [
      "allow our-shop: any(http.request.headers['Origin'], # == 'shop.example/')",
      "deny others: true",
    ],
    find: findInTexts("never-sent"),
  },
  "matches-others": {
    doc: "A comparison also matches what somebody else can send.",
    detail:
      "Anybody can register a host, also under the domain of a provider, can publish an app with any name, and can write headers such as `X-Forwarded-For`. `contains`, a beginning or an end without its dot, and a pattern without `^`, `$` or `\\.` match such values. The beginning of a version also matches versions with more digits. Other browsers have `Safari` in their user agent, LinkedIn's app has `LinkedIn`, and every later Windows has `Windows NT 10.0`. A rule may also deny too much: pages have no package name, a page on a telephone has the platform `js`, and your site may answer with and without `www`. A header or a package is reported only if the rule lets the example in; a word of user agents only if the rule keeps the example out.",
    example: [
      "allow our-shop: any(http.request.headers['Origin'], # endsWith 'shop.example')",
      "deny others: true",
    ],
    find: findInTexts("matches-others"),
  },
  "version-order": {
    doc: "Versions are compared as texts, so `3.11` comes before `3.9`.",
    detail:
      "`<` and `>` compare texts character by character, from the left (expr-lang). A pattern with a range of digits for each number, such as `^[0-3]\\.[0-4]\\.`, does not find `2.5`. A list of four or more versions of a browser that ends at an old one keeps later versions out.",
    example: "deny old-versions: sdk.version < '3.9'",
    find: findInTexts("version-order"),
  },
  network: {
    doc: "A network has no client, or far too many, or is written with bits that do not count.",
    detail:
      "The service sees the public address of a client, also behind a proxy, so no client has a private or reserved address (IANA). `203.0.113.7/3` probably lacks a digit, `172.61` is probably `172.16`, and a part of a private network beside a whole private network is probably cut. Bits behind the mask are ignored. `::ffff:203.0.113.0/120` is `203.0.113.0/24`. Notes: a single IPv6 address, because a client usually has 64 bits (RFC 6177); allowed networks that are all IPv4; denying iCloud Private Relay.",
    example: "deny office: http.request.ip in cidr('203.0.113.5/0')",
    find: findInNetworks,
  },
};

/** The lints, in the order in which the findings of a rule are shown. */
const ROWS: Readonly<Record<string, LintRow>> = {
  "deny-all": {
    severity: "error",
    doc: "The rules let no request through.",
    detail: "Every request is refused.",
    example: [
      "deny browsers: sdk.platform.is_browser",
      "deny others: !sdk.platform.is_browser",
    ],
    fixed: ["allow browsers: sdk.platform.is_browser", "deny others: true"],
    of: "rule set",
    find: findDenyAll,
  },
  "too-many-rules": {
    doc: "The set has more rules than the account allows. Disabled rules count, too.",
    detail:
      'The limit of 15 is from an older page of the public documentation and was written for lists of origins (docs/contract.md, "Account limits"); `--max-rules` sets another.',
    example: VERSIONS.map(
      (version) => `deny version-${version}: sdk.version == '${version}'`,
    ),
    fixed: `deny old-versions: sdk.version in ['${VERSIONS.join("', '")}']`,
    of: "rule set",
    find: findTooManyRules,
  },
  "all-disabled": {
    doc: "Every rule is disabled.",
    detail: "Without an enabled rule, every request gets through.",
    example: "deny disabled bots: http.user_agent.is_ai_bot",
    fixed: "deny bots: http.user_agent.is_ai_bot",
    of: "rule set",
    find: findAllDisabled,
  },
  "header-name": {
    severity: "error",
    doc: "No request has a header with this name.",
    detail:
      "Header names match to the letter. Rules see each header under its canonical name, with capitals at the start and after hyphens: `Origin`, `Sec-Ch-Ua` (docs/assumptions.md, A39). Any other spelling is an error. Warnings: a name that differs by one or two letters from a header of IANA's registry, browsers or proxies, or that imitates a browser's own; a response header, such as `Set-Cookie` (RFC 9110; Fetch standard); a variable of CGI, such as `REMOTE_ADDR` (RFC 3875).",
    example:
      "deny other-sites: any(http.request.headers['origin'], # == 'https://other.example')",
    find: findHeaderNames,
  },
  ...TEXT_LINTS,
  "constant-condition": {
    doc: "A part of a condition has the same result for every request, or the whole condition has it for every request that clients send.",
    detail:
      "For example, no length is below 0, every value differs from one of two texts, and `true` decides a chain of `||`. `Origin`, `Referer`, `User-Agent` and some others have at most one value (RFC 9110; Fetch standard). A tool such as `curl` names only itself in `User-Agent`, a known bot has its flag, and a browser has no package name. Not reported: a rule that denies more values than clients send, and `true` or `false` alone.",
    example:
      "deny other-sites: count(http.request.headers['Origin'] ?? [], # == 'https://other.example') >= 0",
    unless: ["header-name"],
    find: findConstantCondition,
  },
  "missing-header": {
    doc: "A condition decides requests without a header otherwise than it seems to.",
    detail:
      "A header that was not sent does not equal `''`, `-` or `null`. Without the header, `any(list, # != value)` is false, so a deny rule lets the request through; `all()`, `none()` and a count of 0 are true (expr-lang), so an allow rule lets it through. Lint also reports a rule that keeps out clients which never send a header, such as Firefox with `Sec-Ch-Ua` (W3C; MDN). Notes: a text after `??` stands for a missing header; scripts without `Origin` pass an allow rule; an empty `User-Agent` passes a rule against requests without one; a rule keeps out apps without `Origin` or `Accept-Language`, or pages without `Referer`.",
    example:
      "deny no-encoding: http.request.headers['Accept-Encoding'][0] == ''",
    find: findMissingHeader,
  },
  "mixed-operators": {
    doc: "A chain mixes `&&` and `||` without parentheses, and a condition applies to only one part of the chain.",
    detail:
      "`a && b || c` means `(a && b) || c`. This is reported if `b` and `c` test the same part of the request, or `a` and `b` in `a || b && c`. With parentheses, nothing is reported.",
    example:
      "deny tools-in-pages: sdk.platform.is_browser && http.user_agent.string contains 'curl/' || http.user_agent.string contains 'Wget/'",
    find: findMixedOperators,
  },
  repeated: {
    severity: "note",
    doc: "A value, a condition, a network or a part of a pattern adds nothing, because it is there twice or another one covers it.",
    detail:
      "Often another value was meant. A network within another network of the same chain is a warning.",
    example:
      "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_ai_bot",
    fixed:
      "deny bots: http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot",
    find: findRepeated,
  },
  "never-matches": {
    doc: "No request can match this rule.",
    detail:
      "Its condition contradicts itself, or asks for a value that no request has, such as a platform other than `js`, `android`, `ios` and `unknown`, or a crawler that is an AI bot as well (docs/assumptions.md, A105).",
    example:
      "deny old-agents: sdk.platform.name == 'android' && sdk.platform.name == 'ios'",
    fixed:
      "deny old-agents: sdk.platform.name == 'android' || sdk.platform.name == 'ios'",
    unless: [...NEVER_SENT],
    find: findNeverMatches,
  },
  unreachable: {
    doc: "Earlier rules decide every request that this rule could match.",
    detail:
      "One earlier rule matches all its requests, or several do together; the finding names the fewest. Also reported: a rule for one bot after a rule for all known bots, by `http.user_agent.is_crawler_bot` or `is_ai_bot` (docs/assumptions.md, A105), and a rule for apps after a rule that denies requests without a header of pages, such as `Origin`. A note: a rule against bots after a rule that allows pages by their `Origin`.",
    example: [
      "deny office: http.request.ip in cidr('203.0.113.0/24')",
      "allow printer: http.request.ip in cidr('203.0.113.7/32')",
    ],
    fixed: [
      "allow printer: http.request.ip in cidr('203.0.113.7/32')",
      "deny office: http.request.ip in cidr('203.0.113.0/24')",
    ],
    unless: [...NEVER_SENT, "never-matches"],
    of: "enabled rule",
    find: findUnreachable,
  },
  "other-clients": {
    doc: "A rule decides some clients otherwise than its words suggest.",
    detail:
      "Warnings: a length of the user agent that a browser has, too; a rule that lets in a crawler's name, which anybody can send, while people are denied; an allow rule whose last branch is `true`; a deny rule with `none(list, # != value)`; two rules, each of which denies all but another value of the same part; a condition that YAML joined to a comment. Notes: a rule that denies what does not begin with `Mozilla/` also denies apps; a rule for pages, apps or a named client decides clients that a later rule is about; a rule denies a header that proxies add.",
    example:
      "deny other-sites: none(http.request.headers['Origin'] ?? [], # != 'https://shop.example')",
    unless: ["unreachable"],
    of: "enabled rule",
    find: findOtherClients,
  },
  "changes-nothing": {
    doc: "Without this rule, its requests would be decided in the same way.",
    detail:
      "A request that no rule matches is allowed, so an allow rule needs a later rule that denies. Often that rule is missing, or stands before the exception. A deny rule is a note if later rules deny its requests, too: perhaps an allow rule between them is missing. It is a warning if its network is within the network of the later rule.",
    example:
      "allow our-shop: any(http.request.headers['Origin'], # == 'https://shop.example')",
    fixed: [
      "allow our-shop: any(http.request.headers['Origin'], # == 'https://shop.example')",
      "deny others: true",
    ],
    unless: [...NEVER_SENT, "never-matches", "unreachable"],
    of: "enabled rule",
    find: findChangesNothing,
  },
  "always-matches": {
    severity: "note",
    doc: "The condition is true for every request, but is not written as `true`.",
    detail: "A last rule `true` for all other requests is not reported.",
    example: [
      "allow apps: sdk.platform.is_ios",
      "deny others: sdk.platform.is_browser || !sdk.platform.is_browser",
    ],
    unless: [
      "header-name",
      "constant-condition",
      "pattern-typo",
      "unreachable",
    ],
    of: "enabled rule",
    find: findAlwaysMatches,
  },
  "may-fail": {
    doc: "A missing value makes the condition fail, so the rules decide otherwise than they seem to.",
    detail:
      "Reading the first value of a header fails if the header was not sent, and a rule that fails does not match (docs/assumptions.md, A40). Usually this is right: `http.request.headers['Origin'][0] == 'https://shop.example'` does not match a request without an Origin. Lint reports a condition that should match such a request but fails: with `!=`, with `!(... == ...)`, or with `... == ... || b` if `b` is true, unless the other rules decide the same. The first fix changes no decision. The second treats a missing value as different from every text.",
    example:
      "deny other-sites: http.request.headers['Origin'][0] != 'https://shop.example'",
    fixed:
      "deny other-sites: none(http.request.headers['Origin'], # == 'https://shop.example')",
    unless: ["header-name"],
    find: findMayFail,
  },
  "nested-quantifiers": {
    doc: "A quantifier is inside the condition of another quantifier.",
    detail:
      "The inner quantifier cannot read the value of the outer list, because its `#` is its own element. Each level multiplies the steps. After 100,000 values, for which one long header is enough, the expression fails, and the rule does not match (docs/assumptions.md, A189).",
    example:
      "deny partner: any(http.request.headers['X-Partner'], # == 'a' && any(http.request.headers['X-Team'], # == 'b'))",
    fixed:
      "deny partner: any(http.request.headers['X-Partner'], # == 'a') && any(http.request.headers['X-Team'], # == 'b')",
    find: findNestedQuantifiers,
  },
  "plain-regex": {
    severity: "note",
    // A mistake in the pattern would be in the plain comparison, too.
    unless: Object.keys(TEXT_LINTS),
    doc: "A pattern contains only plain text.",
    detail:
      "`==`, `startsWith`, `endsWith` or `contains` has the same meaning and is easier to read.",
    example: [
      "allow version-3: sdk.version matches '^3\\\\.'",
      "deny others: true",
    ],
    find: findPlainRegex,
  },
};

/**
 * Every lint, in the order in which the findings of a rule are shown.
 * docs/lint.md is made from this table.
 */
export const LINTS: readonly Lint[] = Object.entries(ROWS).map(
  ([code, { example, fixed, ...row }]) => ({
    ...{ code, severity: "warning", ...row },
    example: exampleRules(...[example].flat()),
    ...(fixed && { fixed: exampleRules(...[fixed].flat()) }),
  }),
);
