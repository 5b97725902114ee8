import { distance } from "@devid/sdk/errors";
import {
  isWithin,
  parseIp,
  parseNetwork,
  type IpNetwork,
} from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { onceFor } from "../../once-for";
import {
  addressNumber,
  addressRanges,
  addressText,
} from "../../solver/integer-set";
import { realisticAddress } from "../../solver/realistic-address";
import { networkOf, type TextComparison } from "../set/comparison";
import { replacement, type FindInRule, type LintResult } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { one, proven, type TextClaim } from "./text-claim";

const written = ({ address, bits }: IpNetwork) =>
  `${addressText(addressNumber(address))}/${bits}`;

/** Networks, each with the name of its row. */
const named = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).flatMap(([name, texts]) =>
    texts.split(/\s+/).flatMap((text) => {
      const network = parseNetwork(text);
      return network ? [{ network, name }] : [];
    }),
  );

/**
 * Networks from which no client can reach a public service (IANA, special-purpose
 * address registries).
 */
const NEVER_SEEN = named({
  private: "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7",
  "shared by the customers of a provider": "100.64.0.0/10",
  "the machine itself": "127.0.0.0/8 ::1/128",
  "link-local": "169.254.0.0/16 fe80::/10",
  "for benchmarks": "198.18.0.0/15",
  reserved: "0.0.0.0/8 240.0.0.0/4",
  multicast: "224.0.0.0/4 ff00::/8",
  "no address": "::/128",
  "for packets that are thrown away": "100::/64",
});

/** Networks of proxies, which pass the address of the client on (the list of each provider). */
const OF_PROXIES = named({
  Cloudflare: `173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18
    108.162.192.0/18 190.93.240.0/20 188.114.96.0/20 197.234.240.0/22 198.41.128.0/17
    162.158.0.0/15 104.16.0.0/13 104.24.0.0/14 172.64.0.0/13 131.0.72.0/22 2400:cb00::/32
    2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32 2a06:98c0::/29 2c0f:f248::/32`,
  Fastly: `23.235.32.0/20 43.249.72.0/22 103.245.222.0/23 104.156.80.0/20 151.101.0.0/16
    157.52.64.0/18 167.82.0.0/17 185.31.16.0/22 199.27.72.0/21 199.232.0.0/16 2a04:4e40::/32
    2a04:4e42::/32`,
  "Google's load balancers": "130.211.0.0/22 35.191.0.0/16",
  "Amazon CloudFront": `13.32.0.0/15 13.35.0.0/16 52.84.0.0/15 54.182.0.0/16 54.192.0.0/16
    54.230.0.0/16 99.84.0.0/16 108.156.0.0/14 143.204.0.0/16 205.251.192.0/19 2600:9000::/28`,
  Akamai: `2.16.0.0/13 23.32.0.0/11 23.192.0.0/11 95.100.0.0/15 104.64.0.0/10 184.24.0.0/13
    2600:1400::/24`,
  "Azure Front Door": "147.243.0.0/16 2a01:111:2050::/44",
});

/** Networks of relays that hide the addresses of people. */
const OF_RELAYS = named({
  "iCloud Private Relay and WARP":
    "172.224.0.0/12 104.28.0.0/16 140.248.0.0/16 146.75.0.0/16 2a02:26f7::/32 2606:54c0::/32 2a04:4e41::/32",
});

const BY_TEXT = new Set(NEVER_SEEN.map(({ network }) => written(network)));

/** A site of its own may well have a private network with at least so many bits. */
const LEAST_OF_A_SITE = 24;

const PUBLIC = {
  4: ["203.0.113.10", "198.51.100.10"],
  16: ["2001:db8::10", "2001:db8:ffff::10"],
} as const;

/**
 * Networks with fewer bits are a large share of the Internet. Registries of IPv4
 * addresses got networks with 8 bits, those of IPv6 with 12 bits (IANA).
 */
const FEWEST_BITS = { 4: 8, 16: 12 } as const;

const lengthOf = ({ address }: IpNetwork) => (address.length === 4 ? 4 : 16);

/** The network of one address. */
const single = (address: IpNetwork["address"]) =>
  written({ address, bits: address.length * 8 });

/** The network of a client of IPv6, by one of its addresses, or of a small site, by its first address. */
const siteOf = (address: IpNetwork["address"]) =>
  written({
    address: address.map((byte, i) => (i < 8 ? byte : 0)),
    bits: address.length === 4 ? 24 : 64,
  });

/**
 * The IPv4 network that is meant by an address in the form of IPv6 with the mask of
 * IPv4: `::ffff:203.0.113.0/24`. Undefined for any other text.
 */
function maskOfIpv4(text: string): string | undefined {
  const [address = "", mask = ""] = text.split("/", 2);
  const network = parseNetwork(`${address}/128`);
  return text.includes(":") &&
    network?.address.length === 4 &&
    Number(mask) <= 32
    ? `${addressText(addressNumber(network.address))}/${mask}`
    : undefined;
}

/** Another address of the client. */
const besides = ({ address }: IpNetwork) =>
  addressText(addressNumber(address) ^ 1n);

/** The last address of a network. */
const lastOf = ({ address, bits }: IpNetwork) =>
  addressText(
    addressNumber(address) | ((1n << BigInt(address.length * 8 - bits)) - 1n),
  );

/** The private network whose first two numbers have two digits swapped, or one digit wrong, in a text. */
function mistyped(text: string) {
  const [numbers = ""] = /^\d+\.\d+/.exec(text) ?? [];
  const sorted = (each: string) => [...each].sort().join("");
  return ["172.16.0.0/12", "192.168.0.0/16"].find((each) => {
    const start = each.slice(0, each.indexOf(".0"));
    return sorted(numbers) === sorted(start) || distance(numbers, start) === 1;
  });
}

/** The claim that no client, or far too many clients, have an address in a network. */
function wrongSize(
  { text, isBesideOthers, ofPart, negated }: TextComparison,
  network: IpNetwork,
): TextClaim | undefined {
  const reserved = NEVER_SEEN.find((wide) => isWithin(network, wide.network));
  const length = lengthOf(network);
  const whole = reserved && written(reserved.network);
  const isCut =
    reserved &&
    network.bits > reserved.network.bits &&
    network.bits < LEAST_OF_A_SITE &&
    written({ ...network, bits: reserved.network.bits }) === whole;
  // Beside another of these networks, all of this one is meant, too.
  const isPublic = !reserved && network.bits <= 16;
  const meant = isCut ? whole : isPublic ? mistyped(text) : undefined;
  if (meant && ofPart.some((each) => BY_TEXT.has(each.text)))
    return {
      says: (value) =>
        `beside a private network, ${text} is probably ${meant}, and ${value} is in that alone`,
      shows: [meant.replace("172.16", "172.31").replace(/0\.0\/.*/, "255.255")],
      instead: one("in", meant),
    };
  if (reserved)
    return {
      says: (value) =>
        `the network ${text} is ${reserved.name}; clients come with a public address, such as ${value}`,
      shows: PUBLIC[length],
      advice: "write the public network of these clients",
      only: negated ? undefined : "kept out",
    };
  const proxy = OF_PROXIES.find((wide) => isWithin(network, wide.network));
  if (proxy)
    return {
      says: (value) =>
        `${text} is of ${proxy.name}, and the rule sees the address of the client behind it, such as ${value}`,
      shows: PUBLIC[length],
      advice: "write the networks of the clients",
      only: "kept out",
    };
  if (OF_RELAYS.some((wide) => isWithin(network, wide.network)))
    return {
      says: (value) =>
        `people whose system hides their addresses, as with iCloud Private Relay, come from ${text}, such as ${value}`,
      shows: [lastOf(network)],
      advice: "leave it out, or deny other signs of these clients",
      only: "denied",
      severity: "note",
    };
  const isOfNetwork = network.bits === 32 && network.address.at(-1) === 0;
  if (network.bits === 128 || (length === 4 && isOfNetwork))
    return {
      says: (value) =>
        length === 4
          ? `this is the first address of a network, with clients such as ${value}`
          : `a client of IPv6 has a network of 64 bits, with other addresses such as ${value}`,
      shows: [besides(network)],
      advice: `write '${siteOf(network.address)}' if the whole network is meant`,
      severity: "note",
    };
  const inner = NEVER_SEEN.find((narrow) => isWithin(narrow.network, network));
  if (inner?.name === "private" && network.bits === 8)
    return {
      says: (value) => `most of ${text} is public, such as ${value}`,
      shows: [lastOf(network)],
      advice: `write '${written(inner.network)}', or the public network of these clients`,
    };
  if (network.bits >= FEWEST_BITS[length]) return undefined;
  const address = parseIp(text.split("/", 1).join());
  const isSingle = address?.some((byte, i) => byte !== network.address[i]);
  if (!isSingle && network.bits === 0)
    return {
      says: (value) =>
        `${text} is every address of ${length === 4 ? "IPv4" : "IPv6"} and no other, such as ${value}`,
      shows: PUBLIC[length === 4 ? 16 : 4],
      advice:
        "write the network of the clients that are meant; for everybody, write true",
    };
  // A half of all addresses may well be meant beside another condition.
  if (!isSingle && isBesideOthers) return undefined;
  const share =
    network.bits === 0
      ? "every address"
      : `one of ${2 ** network.bits} equal parts of all addresses`;
  return {
    says: (value) => `${text} is ${share}, ${value} among them`,
    shows: [
      ...[realisticAddress(addressRanges(network)) ?? lastOf(network)],
      ...PUBLIC[length],
    ],
    ...(address &&
      isSingle && {
        instead: one("in", (address.at(-1) === 0 ? siteOf : single)(address)),
      }),
    advice: "write the network of the clients that are meant",
  };
}

/** The finding that a network is written with bits that do not count, or as a part of IPv6. */
function otherSpelling(
  { text, literal }: TextComparison,
  network: IpNetwork,
): LintResult | undefined {
  const address = parseIp(text.split("/", 1).join());
  const plain = written(network);
  if (!address) return undefined;
  const ofMask = maskOfIpv4(text);
  const ignored = address.filter((byte, i) => byte !== network.address[i]);
  const isMapped = text.includes(":") && network.address.length === 4;
  if (ignored.length === 0 && !isMapped) return undefined;
  const meant = ignored.length > 0 ? (ofMask ?? plain) : plain;
  // If only one number is ignored, people often write the address of a host for its
  // network. Otherwise either the address or the mask is wrong.
  const isGuess =
    ofMask === undefined && address.length === 4 && ignored.length > 1;
  return {
    severity:
      isGuess || (ofMask !== undefined && ignored.length > 0)
        ? "warning"
        : "note",
    message:
      ignored.length > 0
        ? `${text} is the network ${plain}: bits behind the mask are ignored`
        : `${text} is the IPv4 network ${plain}`,
    fix:
      ignored.length > 0 && ofMask === undefined
        ? `write '${meant}', or '${single(address)}' for the one address`
        : `write '${meant}'`,
    span: literal.span,
    edits: [replacement(literal, quote(meant))],
    ...(isGuess && { removes: true }),
  };
}

/** Networks for documentation (RFC 5737), from which nobody comes. */
const DOCUMENTED = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./;

const ofIp = ({ comparisons }: LintedRule) =>
  comparisons.filter(({ field }) => field?.type === "ip");

/** Whether no rule asks for a network of IPv6. */
const isOfIpv4 = onceFor((set: LintedSet) =>
  set.enabled.every((rule) =>
    ofIp(rule).every(({ text }) => !text.includes(":")),
  ),
);

/** Whether a set lets people in by their networks alone. A single address is that of a server. */
const allowsNetworks = onceFor((set: LintedSet) =>
  set.enabled.every(
    (rule) =>
      rule.isDeny ||
      (ofIp(rule).length === rule.comparisons.length &&
        ofIp(rule).every(
          ({ text }) => !text.endsWith("/32") && !DOCUMENTED.test(text),
        )),
  ),
);

/** The note at the first network of a rule that a client of IPv6 is denied, who was not thought of. */
function forgetsIpv6(
  comparison: TextComparison,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { text, literal, ofPart } = comparison;
  // A single address is that of a server.
  if (/:|\/32$/.test(text) || ofPart[0]?.literal !== literal) return undefined;
  if (!isOfIpv4(set) || !(rule.isDeny || allowsNetworks(set))) return undefined;
  return proven(ADDRESSES_OF_IPV6, comparison, rule, set);
}

const ADDRESSES_OF_IPV6: TextClaim = {
  says: (value) => `clients have addresses of IPv6, too, such as ${value}`,
  shows: PUBLIC[16],
  advice: "write the networks of IPv6 of these clients, too",
  only: "kept out",
  severity: "note",
};

/** Finds networks that have no clients or far too many, or that are written with a part that does not count. */
export const findInNetworks: FindInRule = (rule, set) =>
  rule.comparisons.map((comparison) => {
    const network = networkOf(comparison);
    if (!network) return undefined;
    const spelling = otherSpelling(comparison, network);
    const isOfMask = spelling && maskOfIpv4(comparison.text) !== undefined;
    const claim = wrongSize(comparison, network);
    const isOfSite = network.bits >= FEWEST_BITS[lengthOf(network)];
    const found = isOfMask
      ? undefined
      : claim
        ? proven(claim, comparison, rule, set)
        : isOfSite
          ? forgetsIpv6(comparison, rule, set)
          : undefined;
    // The bits of a mask that is too short are no offer of their own.
    return found ?? spelling;
  });
