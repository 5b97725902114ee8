import { APP, mistakes, only } from "./reported-mistake";

/** Mistakes that teams report from releases of apps. */
export const MOBILE_MISTAKES = mistakes("mobile", [
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
  ["a version anywhere", "version-starts", ["deny sdk.version contains '2.1'"]],
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
  ["a package anywhere", "package-starts", only(`${APP} contains 'payright'`)],
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
]);
