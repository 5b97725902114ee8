/** A rule set that is unusual but right. */
export interface RightSet {
  readonly what: string;
  /** In the form that `rulesOf` reads. */
  readonly rules: readonly string[];
  /** Codes of notes that are justified. */
  readonly notes?: readonly string[];
}

const ORIGIN = "http.request.headers['Origin']";
const REFERER = "http.request.headers['Referer']";
const UA = "http.user_agent.string";
const APP = "sdk.platform.app_package_name";

const header = (name: string) => `http.request.headers['${name}']`;
const deny = (condition: string) => [`deny ${condition}`];
const only = (condition: string) => [`allow ${condition}`, "deny true"];
const origin = (condition: string) => only(`any(${ORIGIN}, ${condition})`);

const set = (
  what: string,
  rules: readonly string[],
  notes?: readonly string[],
): RightSet => ({ what, rules, notes });

/** Rule sets that look like mistakes but are right. */
export const RIGHT_SETS: readonly RightSet[] = [
  set("one origin", origin("# == 'https://shop.example'")),
  set("an origin in Punycode", origin("# == 'https://xn--bcher-kva.example'")),
  set(
    "an origin with a port",
    origin("# in ['https://shop.example:8443', 'http://localhost:3000']"),
  ),
  set("an address as the host", origin("# == 'http://[2001:db8::1]:8080'")),
  set(
    "the origin of an extension",
    origin("# == 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'"),
  ),
  set(
    "origins of pages in apps",
    origin("# in ['capacitor://localhost', 'ionic://localhost', 'file://']"),
  ),
  set("all subdomains of a host", origin("# endsWith '.shop.example'")),
  set(
    "a host and all its subdomains, with https",
    origin(
      "# startsWith 'https://' && (# == 'https://shop.example' || # endsWith '.shop.example')",
    ),
  ),
  set("a host after the slashes", origin("# endsWith '://shop.example'")),
  set("every port of localhost", origin("# startsWith 'http://localhost:'")),
  set(
    "the beginning and the end of a host",
    origin("# startsWith 'https://shop-' && # endsWith '.preview.example'"),
  ),
  set(
    "a beginning, a part and an end",
    origin(
      "# startsWith 'https://' && # contains 'staging' && # endsWith '.shop.example'",
    ),
  ),
  set("a denied part of an origin", [
    `deny any(${ORIGIN}, # contains 'scraper')`,
  ]),
  set("a denied end of an origin", [
    `deny any(${ORIGIN}, # endsWith 'scraper.example')`,
  ]),
  set("a denied beginning of an origin", [
    `deny any(${ORIGIN}, # startsWith 'https://scraper.')`,
  ]),
  set("a denied null", [`deny any(${ORIGIN}, # == 'null')`]),
  set(
    "a pattern with ^ and $",
    origin("# matches '^https://[a-z0-9-]+\\\\.shop\\\\.example$'"),
  ),
  set(
    "a pattern with ^ and $ for each alternative",
    origin("# matches '^https://shop\\\\.example$|^https://buy\\\\.example$'"),
  ),
  set(
    "a pattern with one group",
    origin(
      "# matches '^(?:https://shop|https://my[.]buy)[.]example(?::8443)?$'",
    ),
  ),
  set("a pattern that denies", [
    `deny any(${ORIGIN}, # matches 'scraper|harvest')`,
  ]),
  set(
    "a referer with its path",
    only(`any(${REFERER}, # startsWith 'https://shop.example/')`),
  ),
  set("a denied part of a referer after the slashes", [
    `deny any(${REFERER}, # contains '://scraper.')`,
  ]),
  set("a page of your own site", [
    `deny any(${REFERER}, # == 'https://shop.example/Hidden/Page')`,
  ]),
  set("a user agent in any case, with lower()", [
    `deny lower(${UA}) contains 'headlesschrome'`,
  ]),
  set("a user agent in any case, with (?i)", [
    `deny ${UA} matches '(?i)headlesschrome|phantomjs'`,
  ]),
  set("a part that several names share", [
    `deny ${UA} contains 'bot' || ${UA} contains 'spider'`,
  ]),
  set("your own tool by its name alone", only(`${UA} == 'AcmeMonitor'`)),
  set("no user agent", [`deny ${UA} == ''`]),
  set("special characters of a user agent", [
    `deny ${UA} contains '(compatible; ' && ${UA} contains '+http://'`,
  ]),
  set("a blank within a user agent", [`deny ${UA} contains ' Electron/'`]),
  set("a text in another script", [
    `deny any(http.request.headers['X-Shop'], # == '\u043c\u0430\u0433\u0430\u0437\u0438\u043d')`,
  ]),
  set(
    "your own header with a name like another header's",
    only("any(http.request.headers['X-Origin'], # == 'internal')"),
  ),
  set("any content", [
    "deny any(http.request.headers['Accept'], # == '*/*') && sdk.platform.is_browser",
  ]),
  set("a whole version", only("sdk.version == '3.11.2'")),
  set(
    "the beginning of a version with its dot",
    only("sdk.version startsWith '3.11.'"),
  ),
  set(
    "versions from 3.9 on, as numbers in a pattern",
    only("sdk.version matches '^(?:3\\\\.(?:9|[1-9][0-9]+)|[4-9])\\\\.'"),
  ),
  set("any version at all", only("sdk.version != '' && sdk.platform.is_ios")),
  set(
    "all apps of one company",
    only(`${APP} == 'com.acme' || ${APP} startsWith 'com.acme.'`),
  ),
  set("a denied app of another company", [
    `deny ${APP} startsWith 'com.scraper'`,
  ]),
  set("fetch metadata", [
    "deny any(http.request.headers['Sec-Fetch-Site'], # == 'cross-site') && any(http.request.headers['Sec-Fetch-Dest'], # == 'iframe')",
  ]),
  set("client hints with their special characters", [
    `deny any(http.request.headers['Sec-Ch-Ua-Mobile'], # == '?1') && any(http.request.headers['Sec-Ch-Ua-Platform'], # == '"Windows"')`,
  ]),
  set("IPv4 and IPv6 addresses", [
    "deny http.request.ip in cidr('0.0.0.0/0') && sdk.platform.is_ios || http.request.ip in cidr('::/0') && sdk.platform.is_ios",
  ]),
  set("denied networks that no client comes from", [
    "deny http.request.ip in cidr('10.0.0.0/8') || http.request.ip in cidr('127.0.0.0/8')",
  ]),
  set("one address", only("http.request.ip in cidr('198.51.100.7/32')")),
  set("a denied forwarded address", [
    "deny any(http.request.headers['X-Forwarded-For'], # contains '198.51.100.7')",
  ]),
  set(
    "all() of a header that was sent",
    only(
      `'Origin' in http.request.headers && all(${ORIGIN}, # == 'https://shop.example')`,
    ),
  ),
  set("none() of a header that may be missing, in a deny rule", [
    `deny none(${ORIGIN}, # endsWith '.shop.example')`,
  ]),
  set("any value that is not empty", [
    "deny any(http.request.headers['X-Debug'], # != '')",
  ]),
  set(
    "a placeholder rule",
    ["deny sdk.platform.is_ios", "deny false"],
    ["never-matches"],
  ),
  set("a seasonal rule that is disabled", [
    "deny off http.user_agent.is_ai_bot",
    "deny http.user_agent.is_crawler_bot",
  ]),
  set("&& before ||, with parentheses", [
    `deny (sdk.platform.is_browser && ${UA} contains 'curl/') || ${UA} contains 'Wget/'`,
  ]),
  set("&& before ||, of different parts", [
    "deny sdk.platform.is_ios && sdk.version startsWith '2.' || http.user_agent.is_ai_bot",
  ]),
  set("a guard for each part", [
    "deny sdk.platform.is_ios && sdk.version startsWith '2.' || sdk.platform.is_android && sdk.version startsWith '3.'",
  ]),
  set("&& before ||, with different operators", [
    `deny sdk.platform.is_ios && ${UA} == 'a/1' || ${UA} startsWith 'b/'`,
  ]),
  set("your own header with an empty value", [
    "deny any(http.request.headers['X-Debug'], # == '')",
  ]),
  set("your own header with the value none", [
    "deny any(http.request.headers['X-Debug'], # == 'none')",
  ]),
  set("a page that a user opened", [
    "deny any(http.request.headers['Sec-Fetch-Site'], # == 'none')",
  ]),
  set("braces of a user agent", [`deny ${UA} contains '{"os":"iOS"'`]),
  set("an attack that looks like a template", [
    `deny ${UA} contains '\${jndi:ldap://evil.example/a}'`,
    `deny any(${REFERER}, # contains '\${jndi:')`,
  ]),
  set("markup in a user agent", [`deny ${UA} contains '<script>'`]),
  set(
    "an app whose name has a blank",
    only(`${UA} startsWith 'My%20App/1.0 CFNetwork/'`),
  ),
  set("a class of characters with a bar", [
    "deny any(http.request.headers['X-Path'], # matches '[|;&]')",
  ]),
  set("an escaped bar with blanks", [
    `deny ${UA} matches '^Java/1[.][0-9]+ \\\\| '`,
  ]),
  set("alternatives that contain blanks", [
    `deny ${UA} matches 'Windows NT 5|Windows 98'`,
  ]),
  set("platforms in a pattern", [
    "deny sdk.platform.name matches '^(android|ios)$' && http.user_agent.is_ai_bot",
  ]),
  set("a version with escaped dots", ["deny sdk.version matches '^3[.]1[.]'"]),
  set(
    "a path with a capital",
    only(`any(${REFERER}, # startsWith 'https://shop.example/Cart/')`),
  ),
  set("an app with a number", only(`${APP} == 'com.acme.app2024'`)),
  set("letters with accents", [`deny ${UA} contains 'Caf\u00e9'`]),
  set("quotes of ASCII", [`deny ${UA} contains "'--"`]),
  set(
    "not any() of a header that was sent",
    only(
      `'Origin' in http.request.headers && !any(${ORIGIN}, # == 'https://bad.example')`,
    ),
  ),
  set("not any() in a deny rule", [
    `deny !any(${ORIGIN}, # == 'https://shop.example')`,
  ]),
  set(
    "a pattern for localhost with ^ and $",
    origin("# matches '^https?://localhost(:[0-9]+)?$'"),
  ),
  set("a bot's name in the spelling of its address", [
    `deny ${UA} contains 'applebot'`,
  ]),
  set("origins of no site, denied", [
    `deny any(${ORIGIN}, # in ['null', 'file://'])`,
  ]),
  set("one bot of a kind is denied", [
    `allow http.user_agent.is_ai_bot && ${UA} not contains 'Bytespider'`,
    "deny http.user_agent.is_ai_bot",
  ]),
  set("the last version of the old Edge", deny(`${UA} contains 'Edge/18'`)),
  set("several values of a header that may have several", [
    `deny len(${header("Accept-Language")} ?? []) > 1`,
  ]),
  set(
    "a version of a browser with its dot",
    deny(`${UA} contains 'Chrome/79.'`),
  ),
  set(
    "versions of two digits, with the dot",
    deny(String.raw`${UA} matches 'Chrome/[1-7][0-9]\\.'`),
  ),
  set(
    "Safari without Chrome",
    deny(
      `${UA} contains 'Safari/' && ${UA} not contains 'Chrome/' && ${UA} contains 'Version/9.'`,
    ),
  ),
  set(
    "a browser's user agent without the browser's SDK",
    deny(`${UA} startsWith 'Mozilla/' && sdk.platform.is_unknown`),
  ),
  set(
    "the browser's SDK without a browser's user agent",
    deny(`${UA} not startsWith 'Mozilla/' && sdk.platform.is_browser`),
  ),
  set("a bot's name with its slash", deny(`lower(${UA}) contains 'bot/'`)),
  set("a user agent that is very long", deny(`len(${UA}) > 512`)),
  set(
    "a user agent that is very short",
    deny(`len(${UA}) < 10 && sdk.platform.is_browser`),
  ),
  set(
    "a bot's name in parentheses",
    deny(`${UA} contains '(compatible; bingbot/'`),
  ),
  set(
    "a comma in a user agent",
    deny(`${UA} contains '(KHTML, like Gecko) PhantomJS/'`),
  ),
  set(
    "a language",
    deny(`any(${header("Accept-Language")}, # startsWith 'ru-RU,')`),
  ),
  set("any language", deny(`any(${header("Accept-Language")}, # == '*')`)),
  set(
    "the host of a staging site",
    deny(`any(${header("Host")}, # == 'staging.pay.example')`),
  ),
  set(
    "a host with its port",
    deny(`any(${header("Host")}, # == 'pay.example:8443')`),
  ),
  set(
    "requests without TLS",
    deny(`any(${header("X-Forwarded-Proto")}, # == 'http')`),
  ),
  set(
    "the list of schemes from two proxies",
    deny(`any(${header("X-Forwarded-Proto")}, # contains ',')`),
  ),
  set(
    "a web view of an app",
    deny(`any(${header("X-Requested-With")}, # == 'com.bad.browser')`),
  ),
  set(
    "a media type",
    deny(
      `any(${header("Content-Type")}, # == 'application/x-www-form-urlencoded')`,
    ),
  ),
  set(
    "a brand in a list of brands",
    deny(`any(${header("Sec-Ch-Ua")}, # contains '"HeadlessChrome"')`),
  ),
  set(
    "one kind of credentials",
    deny(`any(${header("Authorization")}, # startsWith 'Basic ')`),
  ),
  set(
    "the beginning of a forwarded address",
    deny(`any(${header("X-Forwarded-For")}, # startsWith '198.51.100.')`),
  ),
  set(
    "a count of at least two",
    deny(`count(${header("X-Forwarded-For")} ?? [], # != '') >= 2`),
  ),
  set(
    "at least one value of a list",
    only(`count(${ORIGIN} ?? [], # == 'https://pay.example') >= 1`),
  ),
  set(
    "no other value, and a value",
    only(
      `count(${ORIGIN} ?? [], # != 'https://pay.example') == 0 && 'Origin' in http.request.headers`,
    ),
  ),
  set("two headers with the same name", deny(`len(${ORIGIN} ?? []) > 1`)),
  set(
    "neither one name nor another",
    deny(
      `${UA} not contains 'Chrome/' && ${UA} not contains 'Firefox/' && sdk.platform.is_browser`,
    ),
  ),
  set(
    "not both of two names",
    deny(
      `!(${UA} contains 'Linux' && ${UA} contains 'Android') && sdk.platform.is_android`,
    ),
  ),
  set(
    "a choice of two versions",
    deny(
      "sdk.platform.is_ios ? sdk.version startsWith '2.' : sdk.version startsWith '1.'",
    ),
  ),
  set(
    "an app first, then an origin",
    only(`sdk.platform.is_ios || any(${ORIGIN}, # == 'https://pay.example')`),
  ),
  set(
    "a guard before the condition that needs it",
    deny(
      `'Referer' in http.request.headers && ${REFERER}[0] contains 'bad.example'`,
    ),
  ),
  set(
    "the first value or an empty text",
    deny(`(${REFERER}[0] ?? '') contains '://bad.example/'`),
  ),
  set(
    "numbers of an address",
    deny(
      String.raw`any(${header("X-Forwarded-For")}, # matches '^198\\.51\\.100\\.[0-9]{1,3}$')`,
    ),
  ),
  set(
    "a class with the hyphen before its end",
    deny(String.raw`any(${header("X-Path")}, # matches '^[a-z+./-]+$')`),
  ),
  set(
    "a range of printable characters",
    deny(String.raw`${UA} matches '[^ -~]'`),
  ),
  set(
    "a word between word boundaries",
    deny(String.raw`${UA} matches '\\bbot\\b'`),
  ),
  set(
    "previews of your own team",
    origin(
      String.raw`# matches '^https://pay-[a-z0-9-]+-acme\\.preview\\.example$'`,
    ),
  ),
  set(
    "an origin or its second port",
    origin(String.raw`# matches '^https://pay\\.example(:8443)?$'`),
  ),
  set(
    "an origin in the network at home",
    deny(`any(${ORIGIN}, # startsWith 'http://192.168.')`),
  ),
  set(
    "hosts with names of one letter",
    origin("# in ['https://x.example', 'https://a.b.c.pay.example']"),
  ),
  set(
    "a search in the referer",
    deny(`any(${REFERER}, # contains '?utm_source=spam')`),
  ),
  set(
    "pages of your own host, by beginning and end",
    only(
      `any(${REFERER}, # startsWith 'https://pay.example/' && # endsWith '/checkout')`,
    ),
  ),
  set(
    "apps of a team by a pattern",
    only(String.raw`${APP} matches '^com\\.acme\\.[a-z]+$'`),
  ),
  set("a test build", deny(`${APP} endsWith '.debug'`)),
  set("a version before a release", deny("sdk.version contains '-beta'")),
  set("all versions of three", deny(String.raw`sdk.version matches '^3\\.'`), [
    "plain-regex",
  ]),
  set("a narrow deny rule before a wide allow rule", [
    "deny http.request.ip in cidr('198.51.100.7/32')",
    "allow http.request.ip in cidr('198.51.100.0/24')",
    "deny true",
  ]),
  set(
    "a choice of two flags in parentheses",
    deny(
      `(http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot) && ${UA} not contains 'Googlebot'`,
    ),
  ),
  set("dollars in a user agent", deny(`${UA} contains '$HOME/.ssh'`)),
  set("percents in a user agent", deny(`${UA} contains '%00'`)),
  set("a negated class", deny(String.raw`${APP} matches '[^A-Za-z0-9._-]'`)),
  set("a bracket in a user agent", deny(`${UA} contains '[FBAN/'`)),
  set("one half of all addresses", [
    "deny http.request.ip in cidr('0.0.0.0/1') && sdk.platform.is_unknown",
  ]),
  set(
    "a header of your own edge",
    only("any(http.request.headers['X-Edge-Country'], # == 'DE')"),
  ),
  set("a missing header, by its length", deny(`len(${ORIGIN}) == 0`)),
  set("your own app's web view, and no other app's", [
    `allow any(http.request.headers['X-Requested-With'] ?? [], # == 'com.acme.shop')`,
    "deny sdk.platform.is_browser && 'X-Requested-With' in http.request.headers",
  ]),
  set(
    "pages of an app shell",
    only(
      `${ORIGIN}[0] in ['capacitor://localhost', 'http://localhost', 'https://localhost']`,
    ),
  ),
  set("a denied frame in a sandbox", deny(`${ORIGIN}[0] == 'null'`)),
  set(
    "an origin with or without a slash, trimmed",
    only(`trim(${ORIGIN}[0] ?? '', '/') == 'https://shop.example'`),
  ),
  set(
    "two neighbouring addresses",
    deny(
      "http.request.ip in cidr('198.51.100.1/32') or http.request.ip in cidr('198.51.100.2/32')",
    ),
  ),
  set(
    "a version that does not have three numbers",
    deny(String.raw`sdk.version not matches '^[0-9]+\\.[0-9]+\\.[0-9]+$'`),
  ),
  set(
    "languages that are not in a list",
    deny(
      "none(http.request.headers['Accept-Language'] ?? [], # startsWith 'en' or # startsWith 'de')",
    ),
  ),
  set(
    "a browser that was not sent by another site",
    deny(
      "sdk.platform.is_browser && any(http.request.headers['Sec-Fetch-Site'], # == 'none')",
    ),
  ),
  set("AI bots may only read the documentation", [
    `allow http.user_agent.is_ai_bot && any(${ORIGIN} ?? [], # == 'https://docs.example')`,
    "deny http.user_agent.is_ai_bot",
  ]),
  set(
    "an unknown platform",
    deny(
      "not (sdk.platform.is_browser or sdk.platform.is_android or sdk.platform.is_ios)",
    ),
  ),
  set("the user agent of simple scripts", deny(`${UA} == 'Mozilla/5.0'`)),
  set("your own tests by a tool", only(`${UA} == 'acme-playwright-tests/1.0'`)),
  set("a page about a tool", deny(`any(${REFERER}, # contains '/webdriver/')`)),
  set(
    "a tool that names itself",
    deny(`${UA} contains 'Nmap Scripting Engine'`),
  ),
  set("a headless browser", deny(`lower(${UA}) contains 'headless'`)),
  set("a dash or nothing", deny(`${UA} matches '^-?$'`)),
  set(
    "Chrome without its hints",
    deny(`${UA} contains 'Chrome/' && 'Sec-Ch-Ua' not in http.request.headers`),
  ),
  set(
    "Chrome on a telephone",
    deny(`${UA} contains 'iPhone' && ${UA} contains 'CriOS/'`),
  ),
  set("an old system with its dot", deny(`${UA} contains 'Android 4.'`)),
  set("a system with its end", deny(`${UA} contains 'Android 9;'`)),
  set("a system that ended", deny(`${UA} contains 'Windows NT 5.1'`)),
  set("a browser that ended", deny(`${UA} contains 'MSIE 6.0'`)),
  set(
    "one media type of a script",
    deny(`any(${header("Accept")}, # == 'application/json')`),
  ),
  set(
    "one compression of a script",
    deny(`any(${header("Accept-Encoding")}, # == 'gzip')`),
  ),
  set(
    "one language of a script",
    deny(`any(${header("Accept-Language")}, # == 'en')`),
  ),
  set("a part of a cookie", deny(`any(${header("Cookie")}, # contains 'a=1')`)),
  set(
    "a brand with its version",
    deny(`any(${header("Sec-Ch-Ua")}, # contains '"HeadlessChrome";v="126"')`),
  ),
  set(
    "a version of a brand",
    deny(`any(${header("Sec-Ch-Ua")}, # contains 'v="79"')`),
  ),
  set(
    "a short name of a brand",
    deny(`any(${header("Sec-Ch-Ua")}, # contains 'Edg')`),
  ),
  set(
    "a whole address with open dots",
    deny(`any(${header("X-Forwarded-For")}, # matches '^198.51.100.10$')`),
  ),
  set(
    "an address as Envoy saw it, denied",
    deny(
      `any(${header("X-Envoy-External-Address")}, # startsWith '198.51.100.')`,
    ),
  ),
  set(
    "many proxies",
    deny(`any(${header("X-Forwarded-For")}, # matches '(?:,[^,]*){3}')`),
  ),
  set(
    "the first number, or more",
    only("sdk.version == '3' || sdk.version startsWith '3.'"),
  ),
  set(
    "first numbers with their dot",
    deny(String.raw`sdk.version matches '^[0-2]\\.'`),
  ),
  set(
    "an origin with any port",
    origin(String.raw`# matches '^https://pay\\.example(?::[0-9]+)?$'`),
  ),
];
