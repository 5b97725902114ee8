import { parseNetwork } from "../language/request/ip-address";
import {
  addressRanges,
  addressText,
  includes,
  intersection,
  type IntegerSet,
} from "./integer-set";

/** The networks for documentation (RFC 5737, RFC 3849). */
const DOCUMENTATION = [
  "203.0.113.0/24",
  "198.51.100.0/24",
  "192.0.2.0/24",
  "2001:db8::/32",
].map((text) => {
  const network = parseNetwork(text);
  return network ? addressRanges(network) : [];
});

/** Few hosts have one of the first addresses of a network. */
const USUAL = 10n;

/** An address of a set, if possible one of documentation; undefined if the set has none. */
export function realisticAddress(numbers: IntegerSet): string | undefined {
  const documented = DOCUMENTATION.map((ranges) =>
    intersection(numbers, ranges),
  ).find((ranges) => ranges.length > 0);
  const [range] = documented ?? numbers.filter(([, last]) => last >= 0n);
  if (!range) return undefined;
  const first = range[0] < 0n ? 0n : range[0];
  // The first address of a network is the network's own.
  const usual = [first + USUAL, first + 1n, first];
  return addressText(usual.find((one) => includes([range], one)) ?? first);
}
