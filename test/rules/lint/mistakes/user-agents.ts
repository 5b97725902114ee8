import { UA, deny, header, mistakes } from "./reported-mistake";

/** Mistakes in user agents. */
export const USER_AGENT_MISTAKES = mistakes("waf", [
  [
    "an old browser version without its last digit",
    "user-agent-version",
    deny(`${UA} contains 'Chrome/9'`),
  ],
  [
    "a pattern for two digits that matches three digits",
    "user-agent-version",
    deny(`${UA} matches 'Chrome/[0-7][0-9]'`),
  ],
  [
    "an old version of Firefox without its last digit",
    "user-agent-version",
    deny(`${UA} contains 'Firefox/1'`),
  ],
  [
    "Safari, which is in the user agent of Chrome",
    "user-agent-of-many",
    deny(`${UA} contains 'Safari'`),
  ],
  [
    "Mozilla, which is in the user agent of every browser",
    "user-agent-of-many",
    deny(`${UA} startsWith 'Mozilla/'`),
  ],
  [
    "Gecko, which is in the user agent of every browser",
    "user-agent-of-many",
    deny(`${UA} contains 'Gecko'`),
  ],
  [
    "bot, which is in the name of a phone",
    "user-agent-of-many",
    deny(`lower(${UA}) contains 'bot'`),
  ],
  [
    "an empty text for a missing header",
    "missing-header",
    deny(`any(${header("User-Agent")}, # == '')`),
  ],
  [
    "a part of a name in small letters",
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
  [
    "Edge by a name that its user agent does not have",
    "user-agent-case",
    deny(`${UA} contains 'Edge/'`),
  ],
  [
    "Opera by a name that its user agent does not have",
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
    "a headless browser with a blank in its name",
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
    "the beginning of a user agent, where Mozilla stands",
    "user-agent-name-alone",
    deny(`${UA} startsWith 'bingbot'`),
  ],
  [
    "the beginning of a user agent in a pattern",
    "user-agent-name-alone",
    deny(`${UA} matches '^AhrefsBot'`),
  ],
  [
    "the end of a user agent",
    "user-agent-name-alone",
    deny(`${UA} endsWith 'Googlebot'`),
  ],
  [
    "a closed pattern for tools without their versions",
    "user-agent-name-alone",
    deny(`${UA} matches '^(curl|Wget)$'`),
  ],
  [
    "names separated by commas",
    "several-in-one",
    deny(`${UA} contains 'curl,Wget,sqlmap'`),
  ],
  [
    "names separated by commas in a pattern",
    "several-in-one",
    deny(`${UA} matches 'curl,Wget'`),
  ],
  [
    "a blank at the start of a trimmed text",
    "blank-ends",
    deny(`trim(${UA}) startsWith ' curl/'`),
  ],
  [
    "an empty user agent or undefined, in a list",
    "missing-as-text",
    deny(`${UA} in ['', 'undefined']`),
  ],
]);
