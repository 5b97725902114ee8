import { type IpAddress, parseIp, parseNetwork } from "@devid/rules/language";

/** The first and the last address of a range, in the spelling of `ipKey`. */
export interface IpRange {
  readonly first: string;
  readonly last: string;
}

/**
 * An address as a text that sorts as addresses do, IPv4 before IPv6: the digit
 * 4 or 6, then its bytes in hexadecimal. Undefined where a text is no address.
 */
export function ipKey(text: string): string | undefined {
  const address = parseIp(text);
  return address && keyOf(address);
}

/** The range that an address alone (/32 or /128) or a CIDR notation says; undefined where a text says none. */
export function ipRange(text: string): IpRange | undefined {
  const alone = ipKey(text);
  if (alone !== undefined) return { first: alone, last: alone };
  const network = parseNetwork(text);
  if (!network) return undefined;
  const { address, bits } = network;
  // The bits behind the mask are 0 in a network's address.
  const last = address.map(
    (byte, i) => byte | (0xff >> Math.min(8, Math.max(0, bits - i * 8))),
  );
  return { first: keyOf(address), last: keyOf(last) };
}

function keyOf(address: IpAddress): string {
  const version = address.length === 4 ? "4" : "6";
  return version + Buffer.from(address).toString("hex");
}
