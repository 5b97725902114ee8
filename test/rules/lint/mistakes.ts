/**
 * Where teams report a mistake of this kind: `cors`, checks of origins; `waf`, rules
 * of web application firewalls; `policy`, linters of policy languages; `proxy`,
 * configurations of proxies and CDNs; `regex`, reviews of patterns; `mobile`, releases
 * of apps; `review`, comments on pull requests of rules.
 */
type Source =
  "cors" | "waf" | "policy" | "proxy" | "regex" | "mobile" | "review";

/** A mistake that a team made, and the lint that finds it. */
export interface ReportedMistake {
  readonly source: Source;
  readonly what: string;
  readonly code: string;
  /** As `rulesOf` reads them. */
  readonly rules: readonly string[];
}

const ORIGIN = "http.request.headers['Origin']";
const REFERER = "http.request.headers['Referer']";
const UA = "http.user_agent.string";
const APP = "sdk.platform.app_package_name";

const only = (condition: string) => [`allow ${condition}`, "deny true"];
const origin = (condition: string) => only(`any(${ORIGIN}, ${condition})`);
const referer = (condition: string) => only(`any(${REFERER}, ${condition})`);

const mistakes = (
  source: Source,
  rows: readonly (readonly [
    what: string,
    code: string,
    rules: readonly string[],
  ])[],
): ReportedMistake[] =>
  rows.map(([what, code, rules]) => ({ source, what, code, rules }));

/** Mistakes of kinds that teams report in public; the texts are ours. */
export const MISTAKES: readonly ReportedMistake[] = [
  ...mistakes("cors", [
    [
      "a query behind the origin",
      "origin-path",
      origin("# == 'https://pay.example?x=1'"),
    ],
    [
      "a fragment behind the origin",
      "origin-path",
      origin("# == 'https://pay.example#top'"),
    ],
    [
      "the address of a page in a list",
      "origin-path",
      origin("# in ['https://pay.example', 'https://my.pay.example/account']"),
    ],
    [
      "a slash behind the end of a host",
      "origin-path",
      origin("# endsWith '.pay.example/'"),
    ],
    [
      "a slash behind a port",
      "origin-path",
      only(`${ORIGIN}[0] == 'http://localhost:5173/'`),
    ],
    [
      "the slash that a router adds, in front of what else it must be",
      "origin-path",
      origin("# startsWith 'https://pay.example/'"),
    ],
    [
      "port 80 of http",
      "origin-port",
      origin("# == 'http://kiosk.example:80'"),
    ],
    [
      "port 443 in a list",
      "origin-port",
      origin("# in ['https://pay.example:443', 'https://my.pay.example']"),
    ],
    [
      "port 443 at the end",
      "origin-port",
      origin("# endsWith '.pay.example:443'"),
    ],
    [
      "a brand in camel case",
      "origin-capitals",
      origin("# == 'https://PayRight.example'"),
    ],
    [
      "capitals at the end",
      "origin-capitals",
      origin("# endsWith '.PayRight.example'"),
    ],
    [
      "a scheme in capitals",
      "origin-capitals",
      origin("# startsWith 'HTTPS://'"),
    ],
    [
      "umlauts at the end",
      "origin-not-ascii",
      origin("# endsWith '.m\u00fcller.example'"),
    ],
    [
      "a host in Japanese",
      "origin-not-ascii",
      origin("# == 'https://\u4f8b\u3048.example'"),
    ],
    [
      "an encoded colon",
      "origin-percent",
      origin("# == 'https://pay.example%3A8443'"),
    ],
    [
      "a scheme with a letter twice",
      "origin-scheme",
      origin("# == 'httpss://pay.example'"),
    ],
    [
      "a scheme with letters swapped",
      "origin-scheme",
      origin("# == 'htpts://pay.example'"),
    ],
    ["one slash", "origin-scheme", origin("# == 'https:/pay.example'")],
    ["no colon", "origin-scheme", origin("# == 'https//pay.example'")],
    [
      "the scheme of a socket",
      "origin-scheme",
      origin("# == 'wss://live.pay.example'"),
    ],
    [
      "a host and a port alone",
      "origin-without-scheme",
      origin("# == 'localhost:3000'"),
    ],
    [
      "an address without a scheme",
      "origin-without-scheme",
      origin("# in ['127.0.0.1:8080']"),
    ],
    [
      "two slashes in front",
      "origin-without-scheme",
      origin("# == '//pay.example'"),
    ],
    [
      "the host in the deny list",
      "origin-without-scheme",
      [`deny any(${ORIGIN}, # == 'scraper.example')`],
    ],
    ["everything", "origin-glob", origin("# == '*'")],
    ["every port", "origin-glob", origin("# == 'http://localhost:*'")],
    ["every scheme", "origin-glob", origin("# == '*://pay.example'")],
    [
      "every end",
      "origin-glob",
      origin("# startsWith 'https://*.pay.example'"),
    ],
    [
      "stars on both sides",
      "origin-glob",
      origin("# contains '*pay.example*'"),
    ],
    [
      "a wildcard among others",
      "origin-glob",
      origin("# in ['https://pay.example', 'https://*.pay.example']"),
    ],
    [
      "origins parted by commas",
      "origin-list",
      origin("# == 'https://a.pay.example,https://b.pay.example'"),
    ],
    [
      "origins parted by blanks",
      "origin-list",
      origin("# == 'https://a.pay.example https://b.pay.example'"),
    ],
    [
      "indexOf of the host",
      "origin-contains",
      only(`${ORIGIN}[0] contains 'pay.example'`),
    ],
    [
      "indexOf of the company",
      "origin-contains",
      origin("# contains 'payright'"),
    ],
    [
      "indexOf of the whole origin",
      "origin-contains",
      origin("# contains 'https://pay.example'"),
    ],
    [
      "indexOf from a dot on",
      "origin-contains",
      origin("# contains '.pay.example'"),
    ],
    [
      "denied is what does not contain it",
      "origin-contains",
      [`deny none(${ORIGIN}, # contains 'pay.example')`],
    ],
    [
      "the same with not",
      "origin-contains",
      [
        `deny 'Origin' in http.request.headers && ${ORIGIN}[0] not contains 'pay.example'`,
      ],
    ],
    [
      "the end without a dot",
      "origin-ends",
      only(`${ORIGIN}[0] endsWith 'pay.example'`),
    ],
    [
      "https and the end without a dot",
      "origin-ends",
      origin("# startsWith 'https://' && # endsWith 'pay.example'"),
    ],
    [
      "the end with a port, without a dot",
      "origin-ends",
      origin("# endsWith 'pay.example:8443'"),
    ],
    [
      "the beginning without an end",
      "origin-starts",
      only(`${ORIGIN}[0] startsWith 'https://pay.example'`),
    ],
    [
      "the beginning of a name",
      "origin-starts",
      origin("# startsWith 'https://staging.'"),
    ],
    [
      "localhost without a port",
      "origin-starts",
      origin("# startsWith 'http://localhost'"),
    ],
    [
      "all of a provider of static pages",
      "origin-shared-host",
      origin("# endsWith '.github.io'"),
    ],
    [
      "all of a cloud's stores",
      "origin-shared-host",
      origin("# endsWith '.s3.amazonaws.com'"),
    ],
    ["all of a country", "origin-shared-host", origin("# endsWith '.co.uk'")],
    ["null for a local file", "origin-null", only(`${ORIGIN}[0] == 'null'`)],
    [
      "null beside the own origin",
      "origin-null",
      origin("# == 'https://pay.example' || # == 'null'"),
    ],
    [
      "no end of a pattern",
      "origin-pattern",
      origin("# matches '^https://[a-z]+[.]pay[.]example'"),
    ],
    [
      "no beginning of a pattern",
      "origin-pattern",
      origin("# matches 'pay[.]example$'"),
    ],
    [
      "a dot in front of the name that is any character",
      "origin-pattern",
      origin("# matches '^https://([a-z]+.)?pay[.]example$'"),
    ],
    [
      "dots within the host",
      "origin-pattern",
      origin("# matches '^https://my.pay.example$'"),
    ],
    [
      "anything in front of the host",
      "origin-pattern",
      origin("# matches '^https://.*pay\\\\.example$'"),
    ],
    [
      "a group of names that is not closed",
      "origin-pattern",
      origin("# matches '^https://(my|your)\\\\.pay\\\\.example'"),
    ],
    [
      "the second alternative is not closed",
      "origin-pattern",
      origin("# matches '^https://pay\\\\.example$|^https://buy\\\\.example'"),
    ],
  ]),
  ...mistakes("proxy", [
    [
      "a referer without its slash",
      "referer-without-path",
      referer("# in ['https://pay.example', 'https://buy.example']"),
    ],
    [
      "a referer that ends with the host",
      "referer-without-path",
      referer("# endsWith 'pay.example'"),
    ],
    [
      "a referer without a scheme",
      "referer-without-scheme",
      referer("# startsWith 'pay.example/checkout'"),
    ],
    [
      "a referer with a fragment",
      "referer-fragment",
      referer("# startsWith 'https://pay.example/#/checkout'"),
    ],
    [
      "the beginning of a referer",
      "referer-starts",
      referer("# startsWith 'https://www.pay.example'"),
    ],
    [
      "hotlinking by contains",
      "referer-contains",
      referer("# contains 'pay.example'"),
    ],
    [
      "hotlinking by a pattern without an end",
      "referer-pattern",
      referer("# matches '^https?://(www\\\\.)?pay\\\\.example'"),
    ],
    [
      "the forwarded address is trusted",
      "header-of-anybody",
      only("http.request.headers['X-Forwarded-For'][0] == '198.51.100.7'"),
    ],
    [
      "the real address is trusted",
      "header-of-anybody",
      only(
        "http.request.headers['X-Real-Ip'][0] in ['198.51.100.7', '198.51.100.8']",
      ),
    ],
    [
      "the beginning of a forwarded address is trusted",
      "header-of-anybody",
      only(
        "any(http.request.headers['X-Forwarded-For'], # startsWith '198.51.100.')",
      ),
    ],
    [
      "the address of a CDN's header is trusted",
      "header-of-anybody",
      only("any(http.request.headers['Cf-Connecting-Ip'], # == '2001:db8::7')"),
    ],
    [
      "the office's own network",
      "network-never-seen",
      only("http.request.ip in cidr('10.20.0.0/16')"),
    ],
    [
      "the network of the VPN",
      "network-never-seen",
      only("http.request.ip in cidr('100.64.0.0/10')"),
    ],
    [
      "the machine itself",
      "network-never-seen",
      only("http.request.ip in cidr('127.0.0.1/32')"),
    ],
    [
      "unique local addresses",
      "network-never-seen",
      only("http.request.ip in cidr('fd12:3456::/32')"),
    ],
    [
      "everybody outside a private network",
      "network-never-seen",
      ["deny http.request.ip not in cidr('172.16.0.0/12')"],
    ],
    [
      "everybody, and IPv6 forgotten",
      "network-of-all",
      ["deny http.request.ip in cidr('0.0.0.0/0')"],
    ],
    [
      "one address with /0",
      "network-of-all",
      ["deny http.request.ip in cidr('198.51.100.7/0')"],
    ],
    [
      "an IPv4 network in IPv6",
      "mapped-network",
      ["deny http.request.ip in cidr('::ffff:198.51.100.0/120')"],
    ],
    [
      "an address within the network",
      "network-with-host-bits",
      ["deny http.request.ip in cidr('198.51.100.77/24')"],
    ],
    [
      "a network twice",
      "overlapping-networks",
      [
        "deny http.request.ip in cidr('198.51.100.0/24') || http.request.ip in cidr('198.51.100.0/24')",
      ],
    ],
  ]),
  ...mistakes("waf", [
    [
      "the name of a bot in small letters",
      "user-agent-case",
      [`deny ${UA} contains 'semrushbot'`],
    ],
    [
      "the name of a bot in capitals",
      "user-agent-case",
      [`deny ${UA} contains 'GOOGLEBOT'`],
    ],
    [
      "a tool with a capital",
      "user-agent-case",
      [`deny ${UA} startsWith 'Curl/'`],
    ],
    [
      "a library with a capital",
      "user-agent-case",
      [
        `deny any(http.request.headers['User-Agent'], # contains 'Python-Requests')`,
      ],
    ],
    [
      "a bot as the whole user agent",
      "user-agent-name-alone",
      [`deny ${UA} == 'AhrefsBot'`],
    ],
    [
      "tools in a list",
      "user-agent-name-alone",
      [`deny ${UA} in ['curl', 'Wget']`],
    ],
    [
      "capitals behind lower()",
      "letter-case-of-function",
      [`deny lower(${UA}) contains 'AhrefsBot'`],
    ],
    [
      "capitals in a list behind lower()",
      "letter-case-of-function",
      [`deny lower(${ORIGIN}[0]) in ['https://Bad.example']`],
    ],
    [
      "capitals in a pattern behind lower()",
      "letter-case-of-function",
      [`deny lower(${UA}) matches 'Ahrefs(Bot|SiteAudit)'`],
    ],
    [
      "small letters behind upper()",
      "letter-case-of-function",
      [`deny upper(${UA}) contains 'bot'`],
    ],
    [
      "alternatives in contains",
      "signs-of-a-pattern",
      [`deny ${UA} contains 'sqlmap|nikto|nmap'`],
    ],
    [
      "a beginning in contains",
      "signs-of-a-pattern",
      [`deny ${UA} contains '^Mozilla/4'`],
    ],
    [
      "a star at the end of contains",
      "signs-of-a-pattern",
      [`deny ${UA} contains 'sqlmap*'`],
    ],
    ["stars around a text", "signs-of-a-pattern", [`deny ${UA} == '*sqlmap*'`]],
    ["a pattern in ==", "signs-of-a-pattern", [`deny ${UA} == '.*sqlmap.*'`]],
    [
      "digits of a pattern",
      "signs-of-a-pattern",
      [`deny ${UA} contains 'Chrome/\\\\d+'`],
    ],
    [
      "a dollar in endsWith",
      "signs-of-a-pattern",
      [`deny ${UA} endsWith 'sqlmap$'`],
    ],
    [
      "a flag in contains",
      "signs-of-a-pattern",
      [`deny ${UA} contains '(?i)sqlmap'`],
    ],
    [
      "an empty text",
      "pattern-matches-everything",
      [`deny ${UA} contains '' && sdk.platform.is_browser`],
    ],
    [
      "a header with a letter too few",
      "header-name-unknown",
      ["deny 'Refrer' in http.request.headers"],
    ],
    [
      "a header without its hyphen",
      "header-name-case",
      [`deny http.request.headers['UserAgent'][0] contains 'sqlmap'`],
    ],
    [
      "a header with letters swapped",
      "header-name-unknown",
      ["deny 'Acecpt-Language' not in http.request.headers"],
    ],
    [
      "a header in the plural",
      "header-name-unknown",
      ["deny http.request.headers['Origins'][0] == 'https://bad.example'"],
    ],
    [
      "a header in small letters",
      "header-name-case",
      ["deny 'accept-language' not in http.request.headers"],
    ],
    [
      "fetch metadata in another case",
      "unknown-value",
      ["deny http.request.headers['Sec-Fetch-Site'][0] == 'Cross-Site'"],
    ],
    [
      "fetch metadata under another name",
      "unknown-value",
      ["deny any(http.request.headers['Sec-Fetch-Site'], # == 'cross-origin')"],
    ],
    [
      "a mode that is none",
      "unknown-value",
      ["deny any(http.request.headers['Sec-Fetch-Mode'], # in ['no_cors'])"],
    ],
    [
      "a boolean hint as a number",
      "unknown-value",
      ["deny http.request.headers['Sec-Ch-Ua-Mobile'][0] == '1'"],
    ],
    [
      "a hint without its quotes",
      "unknown-value",
      ["deny http.request.headers['Sec-Ch-Ua-Platform'][0] == 'Windows'"],
    ],
    [
      "a second value of a header that has one",
      "second-value",
      [`deny ${ORIGIN}[1] == 'https://bad.example'`],
    ],
    [
      "the exception behind the ban",
      "shadowed",
      [
        "deny http.user_agent.is_crawler_bot",
        `allow http.user_agent.is_crawler_bot && ${UA} contains 'Googlebot'`,
      ],
    ],
    [
      "the ban behind everything",
      "unreachable",
      ["allow true", "deny http.user_agent.is_ai_bot"],
    ],
    [
      "two rules of one condition",
      "duplicate",
      ["deny http.user_agent.is_ai_bot", "allow http.user_agent.is_ai_bot"],
    ],
    [
      "one condition in two spellings",
      "duplicate",
      [
        "allow sdk.platform.is_ios || sdk.platform.is_android",
        "deny sdk.platform.name in ['android', 'ios']",
      ],
    ],
    [
      "a value twice in a list",
      "repeated-value",
      [`deny ${UA} in ['a/1', 'b/1', 'a/1']`],
    ],
    [
      "a ban that is a part of a wider one",
      "shadowed",
      [
        `deny ${UA} contains 'sqlmap'`,
        `deny ${UA} contains 'sqlmap' && sdk.platform.is_browser`,
      ],
    ],
    [
      "all rules are switched off",
      "all-disabled",
      [
        "deny off http.user_agent.is_ai_bot",
        "deny off http.user_agent.is_crawler_bot",
      ],
    ],
  ]),
  ...mistakes("policy", [
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
  ]),
  ...mistakes("regex", [
    [
      "an empty alternative at the end",
      "pattern-matches-everything",
      only(`${UA} matches '(?i)acme|initech|'`),
    ],
    [
      "an empty alternative between",
      "pattern-matches-everything",
      only(`${UA} matches 'Acme||Initech'`),
    ],
    [
      "everything may be missing",
      "pattern-matches-everything",
      only(`${UA} matches '(Acme)?'`),
    ],
    ["dot star", "pattern-matches-everything", only(`${UA} matches '.*'`)],
    [
      "anchors beside alternatives",
      "pattern-alternatives",
      only(`${APP} matches '^com[.]a|com[.]b|com[.]c$'`),
    ],
    [
      "slashes and a flag",
      "pattern-slashes",
      [`deny ${UA} matches '/sqlmap/i'`],
    ],
    [
      "slashes alone",
      "pattern-slashes",
      [`deny ${UA} matches '/(sqlmap|nikto)/'`],
    ],
    [
      "letters from A to z",
      "pattern-a-to-z",
      only(`${APP} matches '^com[.][A-z0-9]+$'`),
    ],
    ["a star behind a word", "pattern-glob", [`deny ${UA} matches 'sqlmap*'`]],
    ["a star behind a slash", "pattern-glob", [`deny ${UA} matches '^curl/*'`]],
  ]),
  ...mistakes("mobile", [
    [
      "a least version of two digits",
      "version-order",
      ["deny sdk.version < '3.10'"],
    ],
    ["a version in a chain", "version-order", only("sdk.version >= '2.5.0'")],
    ["a version on the left", "version-order", ["deny '3.9.2' > sdk.version"]],
    [
      "the version of the app in a header",
      "version-order",
      ["deny http.request.headers['X-App-Version'][0] < '4.9'"],
    ],
    [
      "the beginning of a patch",
      "version-starts",
      ["deny sdk.version startsWith '3.9.1'"],
    ],
    [
      "a version anywhere",
      "version-starts",
      ["deny sdk.version contains '2.1'"],
    ],
    [
      "the beginning in a pattern",
      "version-starts",
      ["deny sdk.version matches '^3\\\\.1'"],
    ],
    ["any minor version", "version-range", ["deny sdk.version == '2.*'"]],
    ["a caret", "version-range", only("sdk.version == '^3.9.0'")],
    ["a v in front", "version-range", ["deny sdk.version == 'v3.9.1'"]],
    [
      "the beginning of a package",
      "package-starts",
      only(`${APP} startsWith 'com.payright'`),
    ],
    [
      "a package anywhere",
      "package-starts",
      only(`${APP} contains 'payright'`),
    ],
    [
      "a wildcard in a package",
      "signs-of-a-pattern",
      only(`${APP} == 'com.payright.*'`),
    ],
    [
      "the web as a platform",
      "unknown-value",
      ["deny sdk.platform.name == 'web'"],
    ],
    [
      "a platform in a list",
      "unknown-value",
      only("sdk.platform.name in ['iOS', 'android']"),
    ],
    [
      "a platform with !=",
      "unknown-value",
      ["deny sdk.platform.name != 'Android' && http.user_agent.is_ai_bot"],
    ],
    [
      "a device as a platform",
      "unknown-value",
      ["deny sdk.platform.name == 'iPhone'"],
    ],
  ]),
  ...mistakes("review", [
    [
      "a zero-width space from a page",
      "invisible-character",
      origin("# == 'https://pay.\u200bexample'"),
    ],
    [
      "a soft hyphen",
      "invisible-character",
      [`deny ${UA} contains 'sql\u00admap'`],
    ],
    [
      "a no-break space",
      "invisible-character",
      [`deny ${UA} contains 'Windows\u00a0NT 5'`],
    ],
    [
      "a Cyrillic letter in a host",
      "mixed-script",
      origin("# endsWith '.p\u0430y.example'"),
    ],
    [
      "a Greek letter in a package",
      "mixed-script",
      only(`${APP} == 'c\u03bfm.payright'`),
    ],
    [
      "a blank behind an origin",
      "blank-ends",
      origin("# == 'https://pay.example '"),
    ],
    [
      "a blank in front of a version",
      "blank-ends",
      ["deny sdk.version == ' 3.9.1'"],
    ],
    [
      "the end of a line in a list",
      "blank-ends",
      [`deny ${APP} in ['com.a\\n', 'com.b']`],
    ],
    [
      "lists within lists of quantifiers",
      "nested-quantifiers",
      [
        `deny any(${ORIGIN}, # == 'https://a.example' && any(${REFERER}, # == 'https://a.example/'))`,
      ],
    ],
  ]),
  ...mistakes("cors", [
    [
      "a comma behind an origin",
      "origin-characters",
      origin("# == 'https://pay.example,'"),
    ],
    [
      "quotes within the quotes",
      "origin-characters",
      origin(`# == '"https://pay.example"'`),
    ],
    [
      "a user in front of the host",
      "origin-characters",
      origin("# == 'https://admin@pay.example'"),
    ],
    [
      "a dot behind the host",
      "origin-characters",
      origin("# in ['https://pay.example.', 'https://my.pay.example']"),
    ],
    ["null in capitals", "origin-capitals", [`deny ${ORIGIN}[0] == 'NULL'`]],
    [
      "localhost in a pattern without an end",
      "origin-pattern",
      origin("# matches '^https?://localhost(:[0-9]+)?'"),
    ],
    [
      "a pattern of a README, closed at its end only",
      "origin-ends",
      origin("# matches 'pay\\\\.example$'"),
    ],
    [
      "a variable that the pipeline did not fill in",
      "placeholder",
      origin("# == 'https://${PAY_HOST}'"),
    ],
    [
      "a value of a chart that was not filled in",
      "placeholder",
      origin("# == 'https://{{ .Values.host }}'"),
    ],
    [
      "the domain of an example page",
      "placeholder",
      origin("# endsWith '.<your-domain>'"),
    ],
    [
      "an empty origin for a missing one",
      "missing-header",
      [`deny ${ORIGIN}[0] == ''`],
    ],
    [
      "an undefined origin for a missing one",
      "missing-header",
      [`deny any(${ORIGIN}, # == 'undefined')`],
    ],
    [
      "not any of a missing header",
      "true-without-header",
      only(`!any(${ORIGIN} ?? [], # == 'https://bad.example')`),
    ],
    [
      "not equal within a loop, by an exclamation mark",
      "any-differs",
      [`deny any(${ORIGIN}, !(# == 'https://pay.example'))`],
    ],
  ]),
  ...mistakes("proxy", [
    [
      "an empty referer for a missing one",
      "missing-header",
      [`deny ${REFERER}[0] == ''`],
    ],
    [
      "the dash of an access log for a missing referer",
      "missing-header",
      [`deny any(${REFERER}, # == '-')`],
    ],
    [
      "the dash of an access log for a missing user agent",
      "missing-as-text",
      [`deny ${UA} == '-'`],
    ],
    [
      "the host of a referer as the brand spells it",
      "referer-capitals",
      [`deny none(${REFERER}, # startsWith 'https://PayRight.example/')`],
    ],
  ]),
  ...mistakes("mobile", [
    [
      "the address of the store",
      "package-form",
      only(`${APP} == 'https://play.google.com/store/apps/details?id=com.pay'`),
    ],
    [
      "the number in the store",
      "package-form",
      only(`${APP} in ['id1234567890', 'com.pay']`),
    ],
    ["undefined for no app", "missing-as-text", [`deny ${APP} == 'undefined'`]],
    [
      "a dot of a version that is any character",
      "version-starts",
      ["deny sdk.version matches '^3.1.'"],
    ],
    [
      "a platform in a pattern that is none",
      "unknown-value",
      ["deny sdk.platform.name matches '^(web|ios)$'"],
    ],
    [
      "both bounds of a version in one chain, which no text is between",
      "never-matches",
      ["deny '3.2' <= sdk.version < '3.10'"],
    ],
  ]),
  ...mistakes("waf", [
    [
      "and before or, without parentheses",
      "mixed-operators",
      [
        `deny sdk.platform.is_browser && ${UA} contains 'curl/' || ${UA} contains 'Wget/'`,
      ],
    ],
    [
      "and before or, with three names",
      "mixed-operators",
      [
        `deny sdk.platform.is_ios && ${UA} startsWith 'a/' || ${UA} startsWith 'b/' || ${UA} startsWith 'c/'`,
      ],
    ],
    [
      "a library without its capital",
      "user-agent-case",
      [`deny ${UA} startsWith 'python-urllib/'`],
    ],
    [
      "a bot with a capital too many",
      "user-agent-case",
      [`deny ${UA} contains 'BaiduSpider'`],
    ],
    [
      "a bot with a capital too few",
      "user-agent-case",
      [`deny ${UA} contains 'ChatGPT-user'`],
    ],
    [
      "entities of a page",
      "html-entity",
      [`deny ${UA} contains 'q=1&amp;r=2'`],
    ],
    [
      "a dash of a document",
      "typographic-sign",
      [`deny ${UA} startsWith 'python\u2013requests'`],
    ],
    [
      "quotes of a document",
      "typographic-sign",
      [`deny ${UA} contains '\u201csqlmap\u201d'`],
    ],
    [
      "wide letters",
      "typographic-sign",
      [`deny ${UA} contains '\uff53\uff51\uff4c\uff4d\uff41\uff50'`],
    ],
  ]),
  ...mistakes("regex", [
    [
      "words in square brackets",
      "pattern-class",
      [`deny ${UA} matches '[curl|Wget]/'`],
    ],
    [
      "blanks around alternatives",
      "pattern-blanks",
      [`deny ${UA} matches 'curl/ | Wget/'`],
    ],
    [
      "an alternative of nothing in the middle",
      "pattern-matches-everything",
      [`deny ${UA} matches 'curl||Wget'`],
    ],
  ]),
  ...mistakes("policy", [
    [
      "a length from more to less",
      "never-matches",
      [`deny len(${UA}) > 500 && len(${UA}) < 20`],
    ],
    ["a length below nothing", "never-matches", [`deny len(${UA}) < 0`]],
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
      "always-matches",
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
  ]),
];
