import {
  parseNetwork,
  type IpAddress,
  type IpNetwork,
} from "../language/ip-address";
import { difference, type Range, type Ranges } from "./ranges";

/** Where IPv4 addresses lie among all: where IPv6 has those that are mapped, which count as IPv4. */
const IPV4: Range = [0xffff_0000_0000n, 0xffff_ffff_ffffn];

/** The numbers of all addresses, and -1 for none. */
export const ADDRESSES: Ranges = [[-1n, 2n ** 128n - 1n]];

/** The numbers of the addresses in a network, as `cidr('...')` names it. */
export function addressRanges(network: string): Ranges {
  const read = parseNetwork(network);
  return read ? rangesOf(read) : [];
}

/** The number of an address. */
export function addressNumber(address: IpAddress): bigint {
  const number = address.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return address.length === 4 ? number + IPV4[0] : number;
}

/** The text of an address that has a number. */
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

function rangesOf({ address, bits }: IpNetwork): Ranges {
  const first = addressNumber(address);
  const last = first + 2n ** BigInt(address.length * 8 - bits) - 1n;
  return address.length === 4
    ? [[first, last]]
    : difference([[first, last]], [IPV4]);
}
