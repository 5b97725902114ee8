import { UA, deny, header, mistakes } from "./reported-mistake";

/** Mistakes in user agents. */
export const USER_AGENT_MISTAKES = mistakes("waf", [
  [
    "an old browser by the first digit of its version",
    "user-agent-version",
    deny(`${UA} contains 'Chrome/9'`),
  ],
  [
    "versions of two digits in a pattern that three digits match",
    "user-agent-version",
    deny(`${UA} matches 'Chrome/[0-7][0-9]'`),
  ],
  [
    "Firefox by the beginning of its version",
    "user-agent-version",
    deny(`${UA} contains 'Firefox/1'`),
  ],
  [
    "Safari, which every Chrome says it is",
    "user-agent-of-many",
    deny(`${UA} contains 'Safari'`),
  ],
  [
    "Mozilla, which every browser says it is",
    "user-agent-of-many",
    deny(`${UA} startsWith 'Mozilla/'`),
  ],
  [
    "Gecko, which every browser says it is like",
    "user-agent-of-many",
    deny(`${UA} contains 'Gecko'`),
  ],
  [
    "bot, which a telephone has in its name",
    "user-agent-of-many",
    deny(`lower(${UA}) contains 'bot'`),
  ],
  [
    "a header without a value for a missing one",
    "missing-header",
    deny(`any(${header("User-Agent")}, # == '')`),
  ],
  [
    "the beginning of a name in small letters",
    "user-agent-case",
    deny(`${UA} contains 'headless'`),
  ],
  [
    "a name in small letters in a pattern",
    "user-agent-case",
    deny(String.raw`${UA} matches 'chrome/1[0-9]\\.'`),
  ],
  [
    "one of several names in small letters in a pattern",
    "user-agent-case",
    deny(`${UA} matches 'PhantomJS|headlesschrome|zgrab'`),
  ],
  [
    "a name with a version in small letters",
    "user-agent-case",
    deny(`${UA} contains 'firefox/52.'`),
  ],
  ["Edge by its usual name", "user-agent-case", deny(`${UA} contains 'Edge/'`)],
  [
    "Opera by its usual name, among others",
    "user-agent-case",
    deny(`${UA} matches 'Opera|MSIE'`),
  ],
  [
    "a library in small letters",
    "user-agent-case",
    deny(`${UA} contains 'python-urllib'`),
  ],
  [
    "a client of Go in small letters",
    "user-agent-case",
    deny(`${UA} startsWith 'go-http-client'`),
  ],
  [
    "a client of Java in camel case",
    "user-agent-case",
    deny(`${UA} contains 'OkHttp'`),
  ],
  [
    "a browser without a head, with a blank",
    "user-agent-case",
    deny(`${UA} contains 'Headless Chrome'`),
  ],
  [
    "an AI bot in another case",
    "user-agent-case",
    deny(`${UA} contains 'GPTbot'`),
  ],
  [
    "a link preview with a capital",
    "user-agent-case",
    deny(`${UA} contains 'Facebookexternalhit'`),
  ],
  [
    "a bot at the beginning, where Mozilla stands",
    "user-agent-name-alone",
    deny(`${UA} startsWith 'bingbot'`),
  ],
  [
    "a bot at the beginning in a pattern",
    "user-agent-name-alone",
    deny(`${UA} matches '^AhrefsBot'`),
  ],
  [
    "a bot at the end",
    "user-agent-name-alone",
    deny(`${UA} endsWith 'Googlebot'`),
  ],
  [
    "tools in a closed pattern, without their versions",
    "user-agent-name-alone",
    deny(`${UA} matches '^(curl|Wget)$'`),
  ],
  [
    "names parted by commas",
    "several-in-one",
    deny(`${UA} contains 'curl,Wget,sqlmap'`),
  ],
  [
    "names parted by commas in a pattern",
    "several-in-one",
    deny(`${UA} matches 'curl,Wget'`),
  ],
  [
    "a blank in front of what was trimmed",
    "blank-ends",
    deny(`trim(${UA}) startsWith ' curl/'`),
  ],
  [
    "no user agent, or what programs write for none, in a list",
    "missing-as-text",
    deny(`${UA} in ['', 'undefined']`),
  ],
]);
