import { APP, UA, deny, mistakes, only, origin } from "./reported-mistake";

/** Mistakes in rules about apps and versions, and leftovers of tools. */
export const APP_MISTAKES = mistakes("mobile", [
  [
    "only the end of a package name",
    "package-starts",
    only(`${APP} endsWith 'acme.shop'`),
  ],
  [
    "the file name of an app",
    "package-form",
    only(`${APP} == 'com.acme.shop.apk'`),
  ],
  ["a package with slashes", "package-form", only(`${APP} == 'com/acme/shop'`)],
  [
    "the prefix of a team",
    "package-form",
    only(`${APP} == 'A1B2C3D4E5.com.acme.shop'`),
  ],
  [
    "the displayed name of an app",
    "package-form",
    only(`${APP} == 'Acme Shop'`),
  ],
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
    "a version with X for any number",
    "version-range",
    deny("sdk.version == '3.X'"),
  ],
  ["a plus after a version", "version-range", only("sdk.version == '3.9+'")],
  [
    "a range of versions with a hyphen",
    "version-range",
    only("sdk.version == '3.9 - 4.0'"),
  ],
  [
    "versions separated by commas",
    "several-in-one",
    deny("sdk.version == '3.9.1, 3.9.2'"),
  ],
  [
    "a platform before a version",
    "version-range",
    deny("sdk.version == 'ios/3.9.1'"),
  ],
  [
    "versions from 10.0 on, compared as text",
    "version-order",
    only("sdk.version >= '10.0'"),
  ],
  [
    "a range of versions, compared as text",
    "version-order",
    deny("'3.2' <= sdk.version <= '3.10'"),
  ],
  [
    "versions below 4, compared as text",
    "version-order",
    deny("sdk.version != '' && sdk.version < '4'"),
  ],
  [
    "versions that do not begin with 3.1",
    "version-starts",
    only("sdk.version not startsWith '3.1'"),
  ],
  ["N/A as a version", "missing-as-text", deny("sdk.version == 'N/A'")],
  ["(null) as a package", "missing-as-text", deny(`${APP} == '(null)'`)],
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
    "the end of a platform name in capitals",
    "unknown-value",
    deny("sdk.platform.name endsWith 'OS'"),
  ],
  [
    "misspelt platforms in a pattern",
    "unknown-value",
    deny("sdk.platform.name matches '^(web|mobile)$'"),
  ],
  [
    "a shell variable without braces",
    "placeholder",
    origin("# == 'https://$PAY_HOST'"),
  ],
  ["a Windows variable", "placeholder", origin("# == 'https://%PAY_HOST%'")],
  ["a Ruby variable", "placeholder", origin("# == 'https://#{pay_host}'")],
  ["a placeholder in braces", "placeholder", origin("# == 'https://{host}'")],
  [
    "a placeholder in square brackets",
    "placeholder",
    deny(`${UA} contains '[YOUR BOT NAME]'`),
  ],
  ["TBD as a package", "placeholder", only(`${APP} == 'TBD'`)],
  ["changeme as a package", "placeholder", only(`${APP} == 'changeme'`)],
  [
    "a placeholder between @ signs",
    "placeholder",
    only(`${APP} == '@@PACKAGE@@'`),
  ],
]);
