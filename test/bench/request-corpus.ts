import type { RuleRequest } from "@devid/rules";
import { SeededRandom } from "./seeded-random";

/** A request that has every member except some headers. */
export type WholeRequest = Required<RuleRequest>;

type Options = readonly [string, ...string[]];
const ORIGINS: Options = [
  "https://shop.example",
  "https://www.shop.example",
  "https://pay.shop.example",
  "https://scraper.example",
  "http://localhost:3000",
];
const NETWORKS: Options = ["203.0.113.", "198.51.100.", "192.0.2.", "10.20.3."];
const BROWSERS: Options = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/129.0.6668.70 Safari/537.36",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
  "curl/8.10.1",
];
const APPS: Options = [
  "okhttp/4.12.0",
  "ShopApp/7.3 CFNetwork/1494.0.7 Darwin/23.4.0",
];

/** Requests like those of a shop and its apps. The same seed gives the same requests. */
export function requestCorpus(count: number, seed: number): WholeRequest[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => requestOf(random));
}

function requestOf(random: SeededRandom): WholeRequest {
  const sdkPlatform = random.pick(["js", "js", "js", "android", "ios"]);
  const isBrowser = sdkPlatform === "js";
  const userAgent = random.pick(isBrowser ? BROWSERS : APPS);
  const origin = random.pick(ORIGINS);
  const isWithOrigin = isBrowser && random.chance(0.9);
  const isWebView = sdkPlatform === "android" && random.chance(0.5);
  const isCrawlerBot = userAgent.includes("Googlebot");
  return {
    headers: {
      Accept: ["*/*"],
      "Accept-Encoding": ["gzip, deflate, br"],
      "Accept-Language": [random.pick(["en-US,en;q=0.9", "de", "fr-FR"])],
      "Content-Type": ["text/plain"],
      "User-Agent": [userAgent],
      ...(isWithOrigin && { Origin: [origin], Referer: [`${origin}/cart`] }),
      ...(isWebView && { "X-Requested-With": ["com.shop.app"] }),
    },
    ip: random.pick(NETWORKS) + random.below(256),
    userAgent,
    sdkPlatform,
    sdkVersion: random.pick(["3.11.2", "3.8.0", "4.0.1", "2.6.0"]),
    appPackageName: isBrowser
      ? ""
      : random.pick(["com.shop.app", "com.shop.app.beta"]),
    isCrawlerBot,
    isAiBot: !isCrawlerBot && random.chance(0.05),
  };
}
