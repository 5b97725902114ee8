/** An address: 4 bytes, or 16. IPv4 within IPv6 (`::ffff:192.0.2.1`) has 4. */
export type IpAddress = readonly number[];

/** A network: the bytes of its address and how many leading bits count. */
export interface IpNetwork {
  readonly address: IpAddress;
  readonly bits: number;
}

const DOT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const NINE = "9".charCodeAt(0);
const NO_BYTE = -1;

let lastText = "";
let lastAddress: IpAddress | undefined;

/**
 * Parses an address; undefined if the text is no address, or has a zone. The last address is kept,
 * because the rules of a set read the address of one request after each other.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (text !== lastText) {
    const bytes = bytesOf(text);
    lastText = text;
    lastAddress = bytes && unmapped(bytes);
  }
  return lastAddress;
}

/** Parses a network, `address/bits`. Bits of the address after the prefix are ignored. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [, ip = "", mask = ""] = /^([^/]+)\/([0-9]+)$/.exec(text) ?? [];
  const bytes = bytesOf(ip);
  const bits = Number(mask);
  if (!bytes || mask === "" || bits > bytes.length * 8) return undefined;
  const masked = bytes.map((byte, i) => byte & maskOfByte(bits, i));
  const address = unmapped(masked);
  return { address, bits: address === masked ? bits : bits - 96 };
}

/** Whether an address lies in a network; false if one is IPv4 and the other is IPv6. */
export function isInNetwork(ip: IpAddress, network: IpNetwork): boolean {
  const { address, bits } = network;
  if (ip.length !== address.length) return false;
  for (let i = 0; i * 8 < bits; i++)
    if (((ip[i] ?? 0) & maskOfByte(bits, i)) !== address[i]) return false;
  return true;
}

/** Whether every address of the narrow network lies in the wide network. */
export function isWithin(narrow: IpNetwork, wide: IpNetwork): boolean {
  return narrow.bits >= wide.bits && isInNetwork(narrow.address, wide);
}

function maskOfByte(bits: number, index: number): number {
  const left = Math.min(8, Math.max(0, bits - index * 8));
  return (0xff << (8 - left)) & 0xff;
}

function unmapped(bytes: number[]): number[] {
  const isMapped =
    bytes.length === 16 &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff &&
    bytes.slice(0, 10).every((byte) => byte === 0);
  return isMapped ? bytes.slice(12) : bytes;
}

/** The bytes of an address. No text is both an IPv4 and an IPv6 address. */
function bytesOf(text: string): number[] | undefined {
  return bytesOf4(text) ?? bytesOf6(text);
}

/** Reads digit by digit, for speed: every request has an address. */
function bytesOf4(text: string): number[] | undefined {
  const bytes = [0, 0, 0, 0];
  let count = 0;
  let byte = NO_BYTE;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : DOT;
    if (code === DOT) {
      if (byte === NO_BYTE || count === 4) return undefined;
      bytes[count++] = byte;
      byte = NO_BYTE;
      continue;
    }
    // A number has no leading zero.
    if (code < ZERO || code > NINE || byte === 0) return undefined;
    byte = (byte === NO_BYTE ? 0 : byte * 10) + code - ZERO;
    if (byte > 255) return undefined;
  }
  return count === 4 ? bytes : undefined;
}

function bytesOf6(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, i) =>
    groupsOf(half, i === halves.length - 1),
  );
  if (!head) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  // "::" stands for at least one group of zeros.
  if (!tail || head.length + tail.length > 14) return undefined;
  const zeros = Array<number>(16 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail];
}

function groupsOf(half: string, isLast: boolean): number[] | undefined {
  if (half === "") return [];
  const groups = half.split(":");
  const bytes: number[] = [];
  for (const [i, group] of groups.entries()) {
    if (group.includes(".")) {
      const embedded = bytesOf4(group);
      if (!embedded || !isLast || i !== groups.length - 1) return undefined;
      bytes.push(...embedded);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return undefined;
  }
  return bytes;
}
