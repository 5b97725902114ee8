import { isIP } from "node:net";

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
 *
 * The rule language reads addresses in the same way. It is not used here, because it
 * would slow down every start of the service.
 */
export function ipKey(text: string): string | undefined {
  const bytes = bytesOf(text);
  return bytes && keyOf(unmapped(bytes));
}

/**
 * The range of an address (/32 or /128) or of a network in CIDR notation;
 * undefined for any other text.
 */
export function ipRange(text: string): IpRange | undefined {
  const alone = ipKey(text);
  if (alone !== undefined) return { first: alone, last: alone };
  const [, address = "", digits = ""] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const bytes = bytesOf(address);
  const bits = Number(digits);
  if (!bytes || bits > bytes.length * 8) return undefined;
  const host = bytes.map(
    (_, i) => 0xff >> Math.min(8, Math.max(0, bits - i * 8)),
  );
  const first = bytes.map((byte, i) => byte & ~(host[i] ?? 0));
  const last = bytes.map((byte, i) => byte | (host[i] ?? 0));
  const isWithinIPv4 = isMapped(first);
  return {
    first: keyOf(isWithinIPv4 ? first.slice(12) : first),
    last: keyOf(isWithinIPv4 ? last.slice(12) : last),
  };
}

function bytesOf(text: string): number[] | undefined {
  switch (text.includes("%") ? 0 : isIP(text)) {
    case 4:
      return text.split(".").map(Number);
    case 6:
      return bytesOf6(text);
    default:
      return undefined;
  }
}

/** The bytes of a valid IPv6 address. */
function bytesOf6(text: string): number[] {
  const [before = "", after] = text.split("::");
  const left = bytesOfGroups(before);
  const right = bytesOfGroups(after ?? "");
  const zeros = Array<number>(16 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

/** The bytes of groups between colons; the last one may be an IPv4 address. */
function bytesOfGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const number = parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}

function unmapped(bytes: number[]): number[] {
  return isMapped(bytes) ? bytes.slice(12) : bytes;
}

function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff
  );
}

function keyOf(bytes: readonly number[]): string {
  const version = bytes.length === 4 ? "4" : "6";
  return version + Buffer.from(bytes).toString("hex");
}
