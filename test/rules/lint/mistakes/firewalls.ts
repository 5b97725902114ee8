import {
  APP,
  deny,
  header,
  mistakes,
  only,
  ORIGIN,
  origin,
  UA,
} from "./reported-mistake";

const XFF = header("X-Forwarded-For");
const of = (name: string, condition: string) =>
  deny(`any(${header(name)}, ${condition})`);

/** Mistakes that users of firewalls and gateways report (Cloudflare, AWS WAF, the OWASP rules, Kong, Envoy, Quarkus). */
export const FIREWALL_MISTAKES = mistakes("waf", [
  [
    "a tool that drives a browser",
    "user-agent-not-named",
    deny(`${UA} contains 'selenium'`),
  ],
  [
    "a tool in small letters",
    "user-agent-not-named",
    deny(`lower(${UA}) contains 'puppeteer'`),
  ],
  [
    "tools in a pattern",
    "user-agent-not-named",
    deny(`${UA} matches '(?i)playwright|puppeteer|selenium'`),
  ],
  ["a driver", "user-agent-not-named", deny(`${UA} contains 'ChromeDriver'`)],
  [
    "a name for robots.txt",
    "user-agent-not-named",
    deny(`${UA} contains 'Google-Extended'`),
  ],
  [
    "a system by its product name",
    "user-agent-not-named",
    deny(`${UA} contains 'Windows 11'`),
  ],
  [
    "the last Internet Explorer",
    "user-agent-not-named",
    deny(`${UA} contains 'MSIE 11'`),
  ],
  [
    "a model of a telephone",
    "user-agent-not-named",
    deny(`${UA} contains 'iPhone 15'`),
  ],
  [
    "an old system without its last digit",
    "user-agent-version",
    deny(`${UA} contains 'Android 1'`),
  ],
  [
    "the version of a telephone's system without its last digit",
    "user-agent-version",
    deny(`${UA} contains 'iPhone OS 1'`),
  ],
  [
    "old systems in a class",
    "user-agent-version",
    deny(`${UA} matches 'Android [1-4]'`),
  ],
  [
    "old revisions in a class",
    "user-agent-version",
    deny(`${UA} matches 'rv:[1-5]'`),
  ],
  [
    "the line of a header",
    "header-line",
    deny(`${UA} contains 'User-Agent: sqlmap'`),
  ],
  [
    "the line of an origin",
    "header-line",
    only(`${ORIGIN}[0] == 'Origin: https://pay.example'`),
  ],
  ["two quotes for nothing", "missing-as-text", deny(`${UA} == '""'`)],
  [
    "tools separated by a comma and a blank",
    "several-in-one",
    deny(`${UA} matches 'curl, Wget'`),
  ],
  [
    "a whole user agent that is a beginning",
    "user-agent-name-alone",
    deny(`${UA} == 'Mozilla'`),
  ],
  [
    "two tools at once",
    "never-matches",
    deny(`${UA} contains 'curl/' && ${UA} contains 'Wget/'`),
  ],
  [
    "Chrome on a telephone that calls it CriOS",
    "user-agent-not-named",
    deny(`${UA} contains 'iPhone' && ${UA} contains 'Chrome/'`),
  ],
  [
    "a domain, or the start",
    "origin-pattern-start",
    origin(String.raw`# matches '(^|\\.)pay\\.example$'`),
  ],
  [
    "a host at the start",
    "origin-without-scheme",
    deny(String.raw`any(${ORIGIN}, # matches '^bad\\.example$')`),
  ],
  [
    "an open dot in a group",
    "origin-pattern",
    origin(String.raw`# matches '^https://([a-z]+.)?pay\\.example$'`),
  ],
  [
    "an extension of one installation",
    "origin-of-installation",
    origin("# == 'moz-extension://0b5a3c1e-7d52-4e0c-9a3e-2b1c4d5e6f70'"),
  ],
  [
    "a domain with its port",
    "origin-ends",
    origin("# endsWith 'pay.example:8443'"),
  ],
  [
    "an address as Envoy saw it",
    "header-of-anybody",
    only(`any(${header("X-Envoy-External-Address")}, # == '198.51.100.7')`),
  ],
  [
    "an address as Fastly saw it",
    "header-of-anybody",
    only(`any(${header("Fastly-Client-Ip")}, # == '198.51.100.7')`),
  ],
  [
    "a network as Azure saw it",
    "header-of-anybody",
    only(`any(${header("X-Azure-Clientip")}, # startsWith '198.51.100.')`),
  ],
  [
    "the first forwarded address",
    "header-of-anybody",
    only(`${XFF}[0] startsWith '198.51.100.'`),
  ],
  [
    "forwarded addresses by a pattern",
    "header-of-anybody",
    only(String.raw`any(${XFF}, # matches '^198\\.51\\.100\\.')`),
  ],
  [
    "an open dot in an address",
    "address-text",
    deny(`any(${XFF}, # matches '^10.')`),
  ],
  ["one media type of a list", "header-form", of("Accept", "# == 'text/html'")],
  [
    "one compression of a list",
    "header-form",
    of("Accept-Encoding", "# == 'br'"),
  ],
  ["one cookie of a list", "header-form", of("Cookie", "# == 'beta=1'")],
  [
    "a brand with a slash",
    "header-form",
    of("Sec-Ch-Ua", "# contains 'HeadlessChrome/'"),
  ],
  [
    "a brand with a version behind a slash",
    "header-form",
    of("Sec-Ch-Ua", "# contains 'Chrome/79'"),
  ],
  [
    "a brand in small letters",
    "header-form",
    of("Sec-Ch-Ua", "# contains 'headlesschrome'"),
  ],
  [
    "a language by its name",
    "header-form",
    of("Accept-Language", "# == 'english'"),
  ],
  [
    "an address as CGI names it",
    "header-of-answer",
    of("Remote-Addr", "# == '198.51.100.7'"),
  ],
  [
    "a method as CGI names it",
    "header-of-answer",
    of("Request-Method", "# == 'POST'"),
  ],
  [
    "the host as CGI names it, with a hyphen",
    "header-name-unknown",
    of("Http-Host", "# == 'old.pay.example'"),
  ],
  [
    "the first number of a version",
    "version-range",
    deny("sdk.version == '3'"),
  ],
  [
    "first numbers of versions",
    "version-range",
    deny("sdk.version in ['2', '3']"),
  ],
  [
    "every version but the first number",
    "version-range",
    only("sdk.version != '3'"),
  ],
  ["a dot after a version", "version-range", deny("sdk.version == '3.9.1.'")],
  [
    "a zero before a version",
    "version-range",
    deny("sdk.version startsWith '3.09'"),
  ],
  [
    "a class for the first number",
    "version-starts",
    deny("sdk.version matches '^[0-2]'"),
  ],
  ["the end of a range", "version-range", deny("sdk.version endsWith '.x'")],
  [
    "the address of an app in a store",
    "package-form",
    only(
      `${APP} == 'https://play.google.com/store/apps/details?id=com.acme.shop'`,
    ),
  ],
  [
    "a framework as a platform",
    "unknown-value",
    deny("sdk.platform.name in ['flutter', 'react-native']"),
  ],
  [
    "a value of another header of the browser",
    "unknown-value",
    of("Sec-Fetch-Dest", "# in ['document', 'xhr']"),
  ],
]);
