import { exampleRules, type LintRow } from "../set/lint";
import { findInTexts } from "./find-in-texts";
import { findInNetworks } from "./networks";
import { FACTS } from "./never-sent";

/** Lints of the texts that parts of a request are compared with. */
export const TEXT_LINTS: Readonly<Record<string, LintRow>> = {
  "pattern-typo": {
    doc: "A pattern does not mean what it seems to mean, or is found in every text.",
    detail:
      "In RE2, a pattern has no slashes around it; `^` and `$` belong to one alternative each; `[...]` matches a single character; `{1,2}` counts with a comma; `*` repeats the character in front of it; a blank beside `|` and a doubled backslash are looked for; an empty alternative is found everywhere.",
    example: exampleRules(
      "deny scanners: http.user_agent.string matches 'sqlmap | nikto'",
    ),
    of: "rule",
    find: findInTexts("pattern-typo"),
  },
  "never-sent": {
    doc: "A part of a request is compared with a text that no client sends there.",
    detail:
      "The text is compared with what browsers, apps, tools and proxies send (RFC 5646, 5952, 6454, 9110 and 9112; URL standard; Fetch Metadata, Client Hints, Referrer Policy and Global Privacy Control of W3C; MDN; docs/assumptions.md, A105; the documentation of each browser and proxy). User agents name browsers, systems and crawlers in other words than people do: Windows 7 is `Windows NT 6.1`, iOS is `iPhone OS`, Edge is `Edg`, and a browser does not name the tool that drives it.",
    facts: FACTS,
    example: exampleRules(
      "allow our-shop: any(http.request.headers['Origin'], # == 'shop.example/')",
      "deny others: true",
    ),
    of: "rule",
    find: findInTexts("never-sent"),
  },
  "matches-others": {
    doc: "A comparison also matches what somebody else can send.",
    detail:
      "Anybody can register a host and so choose the Origin of their pages, can have a host under the domain of a provider, can publish an app with a name of their own, and can write headers such as `X-Forwarded-For`. `contains`, a beginning or an end without its dot, and a pattern without `^`, `$` or `\\.` match such values. The beginning of a version also matches versions with more digits, and a word such as `Safari` is in the user agent of other browsers, or `titan` within the name of a telephone. Headers and packages are reported only if the rule lets the example in, and such words only if it keeps the example out.",
    example: exampleRules(
      "allow our-shop: any(http.request.headers['Origin'], # endsWith 'shop.example')",
      "deny others: true",
    ),
    of: "rule",
    find: findInTexts("matches-others"),
  },
  "version-order": {
    doc: "Versions are compared as texts, so `3.11` comes before `3.9`.",
    detail:
      "`<` and `>` compare texts character by character, from the left (expr-lang).",
    example: exampleRules("deny old-versions: sdk.version < '3.9'"),
    of: "rule",
    find: findInTexts("version-order"),
  },
  network: {
    doc: "A network has no client, or far too many, or is written with bits that do not count.",
    detail:
      "The service sees the public address of a client, so no client has a private or reserved one (IANA, special-purpose address registries). Clients have IPv4 and IPv6 addresses. Registries got networks with 8 bits, and 12 in IPv6: `203.0.113.7/3` is probably a mask without its second digit. Bits behind the mask are ignored. `::ffff:203.0.113.0/120` and `203.0.113.0/24` are the same network.",
    example: exampleRules(
      "deny office: http.request.ip in cidr('203.0.113.5/0')",
    ),
    of: "rule",
    find: findInNetworks,
  },
};
