import { type IpAddress, parseIp, parseNetwork } from "@devid/rules/language";

/** The first and the last address of a range, as `ipKey` writes them. */
export interface IpRange {
  readonly first: string;
  readonly last: string;
}

/**
 * An address as a text that sorts like addresses, IPv4 before IPv6: the digit 4
 * or 6, then the bytes in hexadecimal. An IPv4 address within IPv6
 * (`::ffff:192.0.2.1`) counts as IPv4. Undefined for a text that is no address,
 * or has a zone.
 */
export function ipKey(text: string): string | undefined {
  const address = parseIp(text);
  return address && keyOf(address);
}

/**
 * The range of an address (/32 or /128) or of a network in CIDR notation;
 * undefined for any other text.
 */
export function ipRange(text: string): IpRange | undefined {
  const alone = ipKey(text);
  if (alone !== undefined) return { first: alone, last: alone };
  const network = parseNetwork(text);
  if (!network) return undefined;
  const { address, bits } = network;
  const last = address.map(
    (byte, i) => byte | (0xff >> Math.min(8, Math.max(0, bits - i * 8))),
  );
  return { first: keyOf(address), last: keyOf(last) };
}

function keyOf(address: IpAddress): string {
  const version = address.length === 4 ? "4" : "6";
  return version + Buffer.from(address).toString("hex");
}
