import { APP, UA, deny, mistakes, only, origin } from "./reported-mistake";

/** Mistakes in rules about apps and versions, and leftovers of tools. */
export const APP_MISTAKES = mistakes("mobile", [
  [
    "the end of a package",
    "package-starts",
    only(`${APP} endsWith 'acme.shop'`),
  ],
  [
    "the file of a package",
    "package-form",
    only(`${APP} == 'com.acme.shop.apk'`),
  ],
  ["a package with slashes", "package-form", only(`${APP} == 'com/acme/shop'`)],
  [
    "the prefix of a team",
    "package-form",
    only(`${APP} == 'A1B2C3D4E5.com.acme.shop'`),
  ],
  ["the name that people see", "package-form", only(`${APP} == 'Acme Shop'`)],
  [
    "an activity of an app",
    "package-form",
    only(`${APP} == 'com.acme.shop/.MainActivity'`),
  ],
  [
    "a comma in a version",
    "version-range",
    deny("sdk.version startsWith '3,9'"),
  ],
  ["the latest version", "version-range", only("sdk.version == 'latest'")],
  [
    "any version, with a capital",
    "version-range",
    deny("sdk.version == '3.X'"),
  ],
  ["a plus behind a version", "version-range", only("sdk.version == '3.9+'")],
  [
    "two versions with a hyphen",
    "version-range",
    only("sdk.version == '3.9 - 4.0'"),
  ],
  [
    "versions parted by a comma",
    "several-in-one",
    deny("sdk.version == '3.9.1, 3.9.2'"),
  ],
  [
    "a tool in front of a version",
    "version-range",
    deny("sdk.version == 'ios/3.9.1'"),
  ],
  ["versions from ten on", "version-order", only("sdk.version >= '10.0'")],
  [
    "between two versions",
    "version-order",
    deny("'3.2' <= sdk.version <= '3.10'"),
  ],
  [
    "below four, whatever has two digits",
    "version-order",
    deny("sdk.version != '' && sdk.version < '4'"),
  ],
  [
    "not the beginning of a version",
    "version-starts",
    only("sdk.version not startsWith '3.1'"),
  ],
  [
    "not applicable as a version",
    "missing-as-text",
    deny("sdk.version == 'N/A'"),
  ],
  [
    "what a format writes for no package",
    "missing-as-text",
    deny(`${APP} == '(null)'`),
  ],
  [
    "a letter swapped in a platform",
    "unknown-value",
    only("sdk.platform.name in ['ios', 'andriod']"),
  ],
  [
    "a framework as a platform",
    "unknown-value",
    deny("sdk.platform.name == 'flutter'"),
  ],
  [
    "a framework as a platform, with a hyphen",
    "unknown-value",
    deny("sdk.platform.name == 'react-native'"),
  ],
  [
    "the end of a platform in capitals",
    "unknown-value",
    deny("sdk.platform.name endsWith 'OS'"),
  ],
  [
    "platforms of a page in a pattern",
    "unknown-value",
    deny("sdk.platform.name matches '^(web|mobile)$'"),
  ],
  [
    "a variable of a shell without braces",
    "placeholder",
    origin("# == 'https://$PAY_HOST'"),
  ],
  ["a variable of Windows", "placeholder", origin("# == 'https://%PAY_HOST%'")],
  ["a variable of Ruby", "placeholder", origin("# == 'https://#{pay_host}'")],
  [
    "a variable in one pair of braces",
    "placeholder",
    origin("# == 'https://{host}'"),
  ],
  [
    "a place in square brackets",
    "placeholder",
    deny(`${UA} contains '[YOUR BOT NAME]'`),
  ],
  ["what is to be done", "placeholder", only(`${APP} == 'TBD'`)],
  ["change me, in small letters", "placeholder", only(`${APP} == 'changeme'`)],
  ["signs around a variable", "placeholder", only(`${APP} == '@@PACKAGE@@'`)],
]);
