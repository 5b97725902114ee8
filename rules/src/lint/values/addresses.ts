import { parseIp, parseNetwork } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { addressRanges } from "../../solver/integer-set";
import { realisticAddress } from "../../solver/realistic-address";
import { isLargeShare, isWithin, maskOfIpv4 } from "../finders/networks";
import type { ValueLint } from "./value-lint";

const OF = ["http.request.ip"];

/**
 * Networks from which no client can reach a public service (IANA, special-purpose
 * address registries).
 */
const NEVER_SEEN = (
  [
    ["10.0.0.0/8", "private"],
    ["172.16.0.0/12", "private"],
    ["192.168.0.0/16", "private"],
    ["100.64.0.0/10", "shared by the customers of a provider"],
    ["127.0.0.0/8", "the machine itself"],
    ["169.254.0.0/16", "link-local"],
    ["198.18.0.0/15", "for benchmarks"],
    ["0.0.0.0/8", "reserved"],
    ["224.0.0.0/4", "multicast"],
    ["240.0.0.0/4", "reserved"],
    ["fc00::/7", "private"],
    ["fe80::/10", "link-local"],
    ["ff00::/8", "multicast"],
    ["::1/128", "the machine itself"],
    ["::/128", "no address"],
    ["100::/64", "for packets that are thrown away"],
  ] as const
).flatMap(([text, name]) => {
  const network = parseNetwork(text);
  return network ? [{ network, name }] : [];
});

/** The address and prefix length in a text of `cidr()`. */
function networkOf(text: string) {
  const network = parseNetwork(text);
  const [, address = "", bits = ""] = /^(.*)\/(\d+)$/.exec(text) ?? [];
  return network && { network, address, bits: Number(bits) };
}

const PUBLIC = { 4: "203.0.113.10", 16: "2001:db8::10" } as const;

/** Kinds of networks. */
export const ADDRESS_VALUES: Readonly<Record<string, ValueLint>> = {
  "network-never-seen": {
    doc: "A network is private or reserved. No request comes to the service from such an address.",
    sent: "The service sees the public address of a client. Behind a router or a proxy, this is the address of the router or proxy (IANA, special-purpose address registries).",
    of: OF,
    onlyIf: "kept out",
    example: {
      allow: "http.request.ip in cidr('192.168.0.0/16')",
      fixed: "http.request.ip in cidr('203.0.113.0/24')",
    },
    find({ text }) {
      const { network } = networkOf(text) ?? {};
      const reserved =
        network && NEVER_SEEN.find((wide) => isWithin(network, wide.network));
      if (!network || !reserved) return undefined;
      const shows = PUBLIC[network.address.length === 4 ? 4 : 16];
      return {
        message: `the network ${text} is ${reserved.name}; clients come with a public address, such as ${shows}`,
        shows,
        fix: "write the public network of these clients",
      };
    },
  },
  "network-of-all": {
    doc: "A network has a large share of all addresses: every IPv4 or every IPv6 address, but not both, or fewer than 8 bits of IPv4 or 12 of IPv6.",
    sent: "Clients have IPv4 and IPv6 addresses. `/0` compares no bit of the address (RFC 4632). The largest networks that IANA gave away have 8 bits, and 12 in IPv6: `203.0.113.7/3` is probably a mask without its second digit.",
    of: OF,
    example: { deny: "http.request.ip in cidr('0.0.0.0/0')" },
    find({ text, subject, source, node }) {
      const parsed = networkOf(text);
      if (!parsed || !isLargeShare(parsed.network)) return undefined;
      const { network, address } = parsed;
      const isReserved = NEVER_SEEN.some((wide) =>
        isWithin(network, wide.network),
      );
      // network-never-seen and network-with-host-bits report these.
      if (isReserved || maskOfIpv4(text) !== undefined) return undefined;
      const isIpv4 = network.address.length === 4;
      const one = parseIp(address);
      const isSingle = one?.some((byte, i) => byte !== network.address[i]);
      if (isSingle || network.bits > 0) {
        // A half of all addresses may well be meant beside another condition.
        if (!isSingle && /&&|\band\b/.test(source)) return undefined;
        const shows = realisticAddress(addressRanges(network));
        const share =
          network.bits === 0
            ? "every address"
            : `one of ${2 ** network.bits} equal parts of all addresses`;
        if (shows === undefined) return undefined;
        return {
          message: `${text} is ${share}, ${shows} among them`,
          shows,
          ...(isSingle && { text: `${address}/${isIpv4 ? 32 : 128}` }),
          fix: "write the network of the clients that are meant",
        };
      }
      const shows = PUBLIC[isIpv4 ? 16 : 4];
      const here = source.slice(
        node.span.offset,
        node.span.offset + node.span.length,
      );
      const positive = here.replace(/\snot\s+in\s/, " in ");
      return {
        message: `${text} has no address of ${isIpv4 ? "IPv6" : "IPv4"}, such as ${shows}`,
        shows,
        comparison: `${positive} || ${subject} in cidr(${quote(isIpv4 ? "::/0" : "0.0.0.0/0")})`,
      };
    },
  },
};
