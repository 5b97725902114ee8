import { APP, mistakes, only } from "./reported-mistake";

/** Mistakes that teams report from releases of apps. */
export const MOBILE_MISTAKES = mistakes("mobile", [
  [
    "a minimum version with two digits, compared as text",
    "version-order",
    ["deny sdk.version < '3.10'"],
  ],
  [
    "a minimum version of three parts, compared as text",
    "version-order",
    only("sdk.version >= '2.5.0'"),
  ],
  [
    "a version on the left side, compared as text",
    "version-order",
    ["deny '3.9.2' > sdk.version"],
  ],
  [
    "the version of the app in a header, compared as text",
    "version-order",
    ["deny http.request.headers['X-App-Version'][0] < '4.9'"],
  ],
  [
    "a beginning of a version without its last dot",
    "version-starts",
    ["deny sdk.version startsWith '3.9.1'"],
  ],
  [
    "a version that contains a part",
    "version-starts",
    ["deny sdk.version contains '2.1'"],
  ],
  [
    "a beginning of a version in a pattern",
    "version-starts",
    ["deny sdk.version matches '^3\\\\.1'"],
  ],
  [
    "a star for any minor version",
    "version-range",
    ["deny sdk.version == '2.*'"],
  ],
  [
    "a caret before a version",
    "version-range",
    only("sdk.version == '^3.9.0'"),
  ],
  ["a v before a version", "version-range", ["deny sdk.version == 'v3.9.1'"]],
  [
    "the beginning of a package name",
    "package-starts",
    only(`${APP} startsWith 'com.payright'`),
  ],
  [
    "a part of a package name",
    "package-starts",
    only(`${APP} contains 'payright'`),
  ],
  [
    "a star in a package name",
    "signs-of-a-pattern",
    only(`${APP} == 'com.payright.*'`),
  ],
  [
    "the web as a platform",
    "unknown-value",
    ["deny sdk.platform.name == 'web'"],
  ],
  [
    "a misspelt platform in a list",
    "unknown-value",
    only("sdk.platform.name in ['iOS', 'android']"),
  ],
  [
    "a misspelt platform with !=",
    "unknown-value",
    ["deny sdk.platform.name != 'Android' && http.user_agent.is_ai_bot"],
  ],
  [
    "a device as a platform",
    "unknown-value",
    ["deny sdk.platform.name == 'iPhone'"],
  ],
  [
    "the address in the store",
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
    "a dot in a version that matches any character",
    "version-starts",
    ["deny sdk.version matches '^3.1.'"],
  ],
  [
    "a misspelt platform in a pattern",
    "unknown-value",
    ["deny sdk.platform.name matches '^(web|ios)$'"],
  ],
  [
    "a range of versions as one chain, which no text meets",
    "never-matches",
    ["deny '3.2' <= sdk.version < '3.10'"],
  ],
]);
