import { mistakes, ORIGIN, UA } from "./reported-mistake";

/** Mistakes that teams report from web application firewalls. */
export const WAF_MISTAKES = mistakes("waf", [
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
    "capitals after lower()",
    "letter-case-of-function",
    [`deny lower(${UA}) contains 'AhrefsBot'`],
  ],
  [
    "capitals in a list after lower()",
    "letter-case-of-function",
    [`deny lower(${ORIGIN}[0]) in ['https://Bad.example']`],
  ],
  [
    "capitals in a pattern after lower()",
    "letter-case-of-function",
    [`deny lower(${UA}) matches 'Ahrefs(Bot|SiteAudit)'`],
  ],
  [
    "small letters after upper()",
    "letter-case-of-function",
    [`deny upper(${UA}) contains 'crawler'`],
  ],
  [
    "alternatives of a pattern in contains",
    "signs-of-a-pattern",
    [`deny ${UA} contains 'sqlmap|nikto|nmap'`],
  ],
  [
    "the ^ of a pattern in contains",
    "signs-of-a-pattern",
    [`deny ${UA} contains '^Mozilla/4'`],
  ],
  [
    "a star at the end of contains",
    "signs-of-a-pattern",
    [`deny ${UA} contains 'sqlmap*'`],
  ],
  ["stars around a text", "signs-of-a-pattern", [`deny ${UA} == '*sqlmap*'`]],
  ["a pattern after ==", "signs-of-a-pattern", [`deny ${UA} == '.*sqlmap.*'`]],
  [
    "\\\\d of a pattern in contains",
    "signs-of-a-pattern",
    [`deny ${UA} contains 'Chrome/\\\\d+'`],
  ],
  [
    "the $ of a pattern in endsWith",
    "signs-of-a-pattern",
    [`deny ${UA} endsWith 'AcmeScan$'`],
  ],
  [
    "the (?i) of a pattern in contains",
    "signs-of-a-pattern",
    [`deny ${UA} contains '(?i)sqlmap'`],
  ],
  [
    "contains with an empty text",
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
    "fetch metadata with capitals",
    "unknown-value",
    ["deny http.request.headers['Sec-Fetch-Site'][0] == 'Cross-Site'"],
  ],
  [
    "a value that fetch metadata does not have",
    "unknown-value",
    ["deny any(http.request.headers['Sec-Fetch-Site'], # == 'cross-origin')"],
  ],
  [
    "a misspelt mode of fetch metadata",
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
    "an exception after the deny rule",
    "shadowed",
    [
      "deny http.user_agent.is_crawler_bot",
      `allow http.user_agent.is_crawler_bot && ${UA} contains 'Googlebot'`,
    ],
  ],
  [
    "a deny rule after a rule for everything",
    "unreachable",
    ["allow true", "deny http.user_agent.is_ai_bot"],
  ],
  [
    "two rules with the same condition",
    "duplicate",
    ["deny http.user_agent.is_ai_bot", "allow http.user_agent.is_ai_bot"],
  ],
  [
    "the same condition in two spellings",
    "duplicate",
    [
      "allow sdk.platform.is_ios || sdk.platform.is_android",
      "deny sdk.platform.name in ['android', 'ios']",
    ],
  ],
  [
    "the same value twice in a list",
    "repeated-value",
    [`deny ${UA} in ['a/1', 'b/1', 'a/1']`],
  ],
  [
    "a deny rule that an earlier deny rule covers",
    "shadowed",
    [
      `deny ${UA} contains 'sqlmap'`,
      `deny ${UA} contains 'sqlmap' && sdk.platform.is_browser`,
    ],
  ],
  [
    "only disabled rules",
    "all-disabled",
    [
      "deny off http.user_agent.is_ai_bot",
      "deny off http.user_agent.is_crawler_bot",
    ],
  ],
  [
    "&& before ||, without parentheses",
    "mixed-operators",
    [
      `deny sdk.platform.is_browser && ${UA} contains 'curl/' || ${UA} contains 'Wget/'`,
    ],
  ],
  [
    "&& before || with three names, without parentheses",
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
    "a bot with one capital too many",
    "user-agent-case",
    [`deny ${UA} contains 'BaiduSpider'`],
  ],
  [
    "a bot with one capital too few",
    "user-agent-case",
    [`deny ${UA} contains 'ChatGPT-user'`],
  ],
  ["an HTML entity", "html-entity", [`deny ${UA} contains 'q=1&amp;r=2'`]],
  [
    "a dash from a document",
    "typographic-sign",
    [`deny ${UA} startsWith 'python\u2013requests'`],
  ],
  [
    "quotes from a document",
    "typographic-sign",
    [`deny ${UA} contains '\u201csqlmap\u201d'`],
  ],
  [
    "full-width letters",
    "typographic-sign",
    [`deny ${UA} contains '\uff53\uff51\uff4c\uff4d\uff41\uff50'`],
  ],
]);
