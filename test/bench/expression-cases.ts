/** One rule in the spelling of each language. */
export interface ExpressionCase {
  readonly name: string;
  readonly devid: string;
  readonly cel: string;
  readonly filtrex: string;
  readonly jexl: string;
}

/**
 * Ten realistic rules. If a header may be missing, each language guards against it in
 * its cheapest way.
 */
export const EXPRESSION_CASES: readonly ExpressionCase[] = [
  {
    name: "user agent contains",
    devid: `http.user_agent.string contains 'HeadlessChrome'`,
    cel: `userAgent.contains("HeadlessChrome")`,
    filtrex: `contains(userAgent, "HeadlessChrome")`,
    jexl: `"HeadlessChrome" in userAgent`,
  },
  {
    name: "bot of either kind",
    devid: `http.user_agent.is_ai_bot || http.user_agent.is_crawler_bot`,
    cel: `isAiBot || isCrawlerBot`,
    filtrex: `isAiBot or isCrawlerBot`,
    jexl: `isAiBot || isCrawlerBot`,
  },
  {
    name: "origin equals",
    devid: `http.request.headers['Origin'][0] == 'https://shop.example'`,
    cel: `"Origin" in headers && headers["Origin"][0] == "https://shop.example"`,
    filtrex: `first(headers, "Origin") == "https://shop.example"`,
    jexl: `headers|first("Origin") == "https://shop.example"`,
  },
  {
    name: "origin not in a list",
    devid: `http.request.headers['Origin'][0] not in ['https://shop.example', 'https://www.shop.example', 'https://pay.shop.example']`,
    cel: `"Origin" in headers && !(headers["Origin"][0] in ["https://shop.example", "https://www.shop.example", "https://pay.shop.example"])`,
    filtrex: `has(headers, "Origin") and first(headers, "Origin") not in ("https://shop.example", "https://www.shop.example", "https://pay.shop.example")`,
    jexl: `headers.Origin && !(headers.Origin[0] in ["https://shop.example", "https://www.shop.example", "https://pay.shop.example"])`,
  },
  {
    name: "platform and package",
    devid: `sdk.platform.is_android && sdk.platform.app_package_name != 'com.shop.app'`,
    cel: `sdkPlatform == "android" && appPackageName != "com.shop.app"`,
    filtrex: `sdkPlatform == "android" and appPackageName != "com.shop.app"`,
    jexl: `sdkPlatform == "android" && appPackageName != "com.shop.app"`,
  },
  {
    name: "header present",
    devid: `'X-Requested-With' in http.request.headers`,
    cel: `"X-Requested-With" in headers`,
    filtrex: `has(headers, "X-Requested-With")`,
    jexl: `headers|has("X-Requested-With")`,
  },
  {
    name: "pattern",
    devid: `http.user_agent.string matches '(?i)(bot|crawl|spider)[^a-z]'`,
    cel: `matchesFolded(userAgent, "(bot|crawl|spider)[^a-z]")`,
    filtrex: `matchesFolded(userAgent, "(bot|crawl|spider)[^a-z]")`,
    jexl: `userAgent|matchesFolded("(bot|crawl|spider)[^a-z]")`,
  },
  {
    name: "address in a network",
    devid: `http.request.ip in cidr('203.0.113.0/25')`,
    cel: `inNetwork(ip, "203.0.113.0/25")`,
    filtrex: `inNetwork(ip, "203.0.113.0/25")`,
    jexl: `ip|inNetwork("203.0.113.0/25")`,
  },
  {
    name: "and, or, not",
    devid: `!(sdk.platform.is_android || sdk.platform.is_ios) && (http.user_agent.string startsWith 'curl/' || http.user_agent.string contains 'Headless' || http.request.ip in cidr('198.51.100.0/24'))`,
    cel: `!(sdkPlatform == "android" || sdkPlatform == "ios") && (userAgent.startsWith("curl/") || userAgent.contains("Headless") || inNetwork(ip, "198.51.100.0/24"))`,
    filtrex: `not (sdkPlatform == "android" or sdkPlatform == "ios") and (startsWith(userAgent, "curl/") or contains(userAgent, "Headless") or inNetwork(ip, "198.51.100.0/24"))`,
    jexl: `!(sdkPlatform == "android" || sdkPlatform == "ios") && (userAgent|startsWith("curl/") || "Headless" in userAgent || ip|inNetwork("198.51.100.0/24"))`,
  },
  {
    name: "version and domain",
    devid: `sdk.version startsWith '3.' && http.request.headers['Origin'][0] endsWith '.shop.example'`,
    cel: `sdkVersion.startsWith("3.") && "Origin" in headers && headers["Origin"][0].endsWith(".shop.example")`,
    filtrex: `startsWith(sdkVersion, "3.") and has(headers, "Origin") and endsWith(first(headers, "Origin"), ".shop.example")`,
    jexl: `sdkVersion|startsWith("3.") && headers.Origin && headers.Origin[0]|endsWith(".shop.example")`,
  },
];
