import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isLoopback } from "@devid/sdk/wire";
import { ServiceError } from "../service-errors";

/** Thrown if a delivery would connect to a private network, or to the service itself. */
export class UndeliverableError extends ServiceError {
  readonly name = "UndeliverableError";
}

const privateAddress = (hostname: string, address: string) =>
  new UndeliverableError(
    hostname === address
      ? `${address} is an address of a private network, where nothing is delivered.`
      : `${hostname} is ${address}, an address of a private network, where nothing is delivered.`,
  );

/**
 * Networks outside the public internet (docs/assumptions.md, A151). Loopback is missing
 * on purpose, because users try out webhooks there.
 */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  // These five embed IPv4 addresses, among them private ones.
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(network, bits, "ipv6");

/**
 * Throws UndeliverableError if the host of a URL is a private address. A host name
 * passes; `lookupPublic` checks its addresses.
 */
export function refusePrivateHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isPrivate(host)) throw privateAddress(host, host);
}

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (
    error: NodeJS.ErrnoException | null,
    addresses: LookupAddress[],
  ) => void,
) => void;

/**
 * Resolves names like `dns.lookup`, and fails with UndeliverableError if one of the
 * addresses is private. A connection that uses this function connects to a checked
 * address, so a later DNS answer makes no difference.
 */
export function lookupPublic(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => isPrivate(address));
      const [first] = addresses ?? [];
      if (error) callback(error, []);
      else if (refused) callback(privateAddress(hostname, refused.address), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
}

/** Whether a text is a private address; false for a name. */
function isPrivate(host: string): boolean {
  const family = isIP(host);
  if (family === 0 || isLoopback(host)) return false;
  return PRIVATE.check(host, family === 6 ? "ipv6" : "ipv4");
}
