import { deny, header, mistakes, only, ORIGIN, UA } from "./reported-mistake";

/** Mistakes of a user in a file of 50 rules that lint once did not report. */
export const TRIAL_MISTAKES = mistakes("review", [
  [
    "two exclusions by ! beside ||",
    "or-of-exclusions",
    deny(
      `!(${ORIGIN}[0] == 'https://a.example') || !(${ORIGIN}[0] == 'https://b.example')`,
    ),
  ],
  [
    "a beginning of a version with v",
    "version-range",
    deny("sdk.version startsWith 'v3.'"),
  ],
  ["a user agent that is a blank", "blank-ends", deny(`${UA} == ' '`)],
  [
    "a misspelt header behind ??",
    "header-name-unknown",
    deny(`any(${header("Orgin")} ?? [], # == 'https://evil.example')`),
  ],
  [
    "a misspelt header that none() reads",
    "header-name-unknown",
    deny(`none(${header("Orgin")} ?? [], # == 'https://shop.example')`),
  ],
  [
    "a scheme that is misspelt, alone",
    "origin-scheme",
    deny(`${ORIGIN}[0] startsWith 'htps://'`),
  ],
  [
    "an address without a slash behind the colon",
    "origin-scheme",
    only(`${ORIGIN}[0] == 'https//shop.example'`),
  ],
  [
    "a language with _",
    "header-form",
    deny(`${header("Accept-Language")}[0] == 'en_US'`),
  ],
  [
    "a request of scripts in other letters",
    "header-form",
    deny(`${header("X-Requested-With")}[0] == 'XmlHttpRequest'`),
  ],
  [
    "a platform of tablets",
    "unknown-value",
    deny("sdk.platform.name == 'ipados'"),
  ],
  [
    "a hint with a number",
    "unknown-value",
    deny(`${header("Sec-Ch-Ua-Mobile")}[0] == '1'`),
  ],
  [
    "two schemes in one origin",
    "origin-characters",
    only(`${ORIGIN}[0] == 'https://http://shop.example'`),
  ],
  [
    "an exception behind what it is an exception of",
    "allow-changes-nothing",
    ["deny http.user_agent.is_crawler_bot", `allow ${UA} contains 'Googlebot'`],
  ],
  [
    "two networks that are excluded beside ||",
    "or-of-exclusions",
    deny(
      "http.request.ip not in cidr('203.0.113.0/24') || http.request.ip not in cidr('198.51.100.0/24')",
    ),
  ],
]);
