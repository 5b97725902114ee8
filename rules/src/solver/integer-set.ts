import type { IpAddress, IpNetwork } from "../language/request/ip-address";

/** A set of integers, as ranges in ascending order that do not overlap. */
export type IntegerSet = readonly Range[];

/** The integers from a first to a last, both included. */
export type Range = readonly [first: bigint, last: bigint];

/** The set of one integer. */
export function only(value: bigint): IntegerSet {
  return [[value, value]];
}

/** The integers that are in both sets. */
export function intersection(a: IntegerSet, b: IntegerSet): IntegerSet {
  const common: Range[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [x, y] = [a[i], b[j]];
    if (!x || !y) return common;
    const first = x[0] > y[0] ? x[0] : y[0];
    const last = x[1] < y[1] ? x[1] : y[1];
    if (first <= last) common.push([first, last]);
    if (x[1] < y[1]) i++;
    else j++;
  }
}

/** The integers that are in all of one or more sets. Intersecting them in pairs is much faster than one after the other. */
export function intersectionOfAll(sets: readonly IntegerSet[]): IntegerSet {
  const [first = [], ...others] = sets;
  if (others.length === 0) return first;
  const middle = Math.ceil(sets.length / 2);
  return intersection(
    intersectionOfAll(sets.slice(0, middle)),
    intersectionOfAll(sets.slice(middle)),
  );
}

/** The integers of one set that are not in the other. */
export function difference(a: IntegerSet, b: IntegerSet): IntegerSet {
  const last = a.at(-1)?.[1] ?? 0n;
  let next = a[0]?.[0] ?? 0n;
  const gaps: Range[] = [];
  for (const range of b) {
    gaps.push([next, range[0] - 1n]);
    next = range[1] + 1n;
  }
  return intersection(a, [...gaps, [next, last]]);
}

/** Whether an integer is in a set. */
export function includes(ranges: IntegerSet, value: bigint): boolean {
  return ranges.some(([first, last]) => first <= value && value <= last);
}

/** Whether all integers of a set are in another (true), or none (false); undefined if only some are. */
export function containedIn(
  ranges: IntegerSet,
  others: IntegerSet,
): boolean | undefined {
  const common = intersection(ranges, others);
  if (common.length === 0) return false;
  const isAll =
    common.length === ranges.length &&
    common.every(([first, last], i) => {
      const [from, to] = ranges[i] ?? [];
      return first === from && last === to;
    });
  return isAll ? true : undefined;
}

/** The numbers of IPv4 addresses. An IPv4 address has the number of the IPv6 address that it is mapped to. */
const IPV4: Range = [0xffff_0000_0000n, 0xffff_ffff_ffffn];

/** The numbers of all addresses, and -1 for a request without one. */
export const ALL_ADDRESSES: IntegerSet = [[-1n, 2n ** 128n - 1n]];

/** The number of an address. */
export function addressNumber(address: IpAddress): bigint {
  const number = address.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return address.length === 4 ? number + IPV4[0] : number;
}

/** The text of the address with a number. */
export function addressText(number: bigint): string {
  const isV4 = IPV4[0] <= number && number <= IPV4[1];
  const digits = (isV4 ? number - IPV4[0] : number)
    .toString(16)
    .padStart(isV4 ? 8 : 32, "0");
  if (isV4)
    return (digits.match(/../g) ?? [])
      .map((byte) => parseInt(byte, 16))
      .join(".");
  const groups = (digits.match(/.{4}/g) ?? [])
    .map((group) => group.replace(/^0{1,3}/, ""))
    .join(":");
  return groups.replace(/(?:^|:)0(?::0)+(?::|$)/, "::");
}

export function addressRanges({ address, bits }: IpNetwork): IntegerSet {
  const first = addressNumber(address);
  const last = first + 2n ** BigInt(address.length * 8 - bits) - 1n;
  return address.length === 4
    ? [[first, last]]
    : difference([[first, last]], [IPV4]);
}
