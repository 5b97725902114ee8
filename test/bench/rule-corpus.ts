import type { Rule } from "@devid/rules";
import { SeededRandom } from "./seeded-random";

/** Kinds of rules, mixed like in a set that has grown for years. */
const KINDS: readonly [Kind, ...Kind[]] = [
  (n) => `http.request.headers['Origin'][0] == 'https://shop-${n}.example'`,
  (n) => `http.request.headers['Origin'][0] endsWith '.partner-${n}.example'`,
  (n) =>
    `http.request.headers['Origin'][0] in ['https://a${n}.example', 'https://b${n}.example', 'https://c${n}.example']`,
  (n) =>
    `http.user_agent.string contains 'Scraper-${n}' || http.user_agent.string contains 'Crawler-${n}'`,
  (n) => `http.user_agent.string matches '(?i)bot-${n}/[0-9]+'`,
  (n) => `http.request.ip in cidr('${network(n)}')`,
  (n, random) =>
    `http.request.ip in cidr('${network(n)}') && !(sdk.platform.is_${platform(random)})`,
  (n, random) =>
    `sdk.platform.is_${platform(random)} && sdk.platform.app_package_name == 'com.acme.app${n}'`,
  (n) =>
    `sdk.platform.is_browser && sdk.version startsWith '${n % 9}.${n}.' && 'X-Test-${n}' in http.request.headers`,
];
type Kind = (n: number, random: SeededRandom) => string;

/**
 * Rules of all kinds with mixed origins, user agents, networks and platforms. The same
 * seed gives the same rules.
 */
export function ruleCorpus(count: number, seed: number): Rule[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, n) => ({
    name: `rule-${n}`,
    expression: random.pick(KINDS)(n, random),
    action: random.pick(["allow", "deny"] as const),
    status: random.chance(0.95) ? "enabled" : "disabled",
  }));
}

const platform = (random: SeededRandom) =>
  random.pick(["android", "ios", "browser"]);

function network(n: number): string {
  return n % 4 === 0
    ? `2001:db8:${n.toString(16)}::/48`
    : `${100 + (n >> 8)}.${n & 255}.0.0/${16 + (n % 9)}`;
}
