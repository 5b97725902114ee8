/** An address as people write it: IPv4 that came in over IPv6 is IPv4, and no zone is told. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
