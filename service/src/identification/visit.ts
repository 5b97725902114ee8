import type { RuleRequest } from "@devid/rules";
import type { Event } from "@devid/sdk";
import { SDK_PLATFORMS } from "@devid/sdk/wire";
import type { IdentificationBody } from "../agent/identification-wire";
import type { z } from "zod";
import type { ApiKeyRow } from "../store/records/api-keys";

/** A request to identify a visitor, however it came. */
export interface Visit {
  /** The public key that it came with, admitted. */
  readonly key: ApiKeyRow;
  readonly headers: CanonicalHeaders;
  /** Address that it came from, if that is known. */
  readonly ip: string | undefined;
  /** What the agent sent; an app has no `url`. */
  readonly sent: Omit<z.output<typeof IdentificationBody>, "url"> & {
    readonly url?: string | undefined;
  };
  /** Members of its event that only a control call can tell, such as `emulator`. */
  readonly told?: Partial<Event> | undefined;
}

/** The first value of a header. */
export function headerOf({ headers }: Visit, name: string): string | undefined {
  return headers[name]?.[0];
}

/** Headers by their names in canonical form, such as `Sec-Ch-Ua`. */
type CanonicalHeaders = Readonly<Record<string, readonly string[]>>;

/**
 * Headers under their canonical names, as rules spell them: the first letter
 * and each behind a hyphen are capital, the others small. A name that came
 * several times has several values, in their order.
 */
export function canonicalHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): CanonicalHeaders {
  const byName = new Map<string, string[]>();
  for (const [given, value] of headers) {
    const name = canonicalName(given);
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  return Object.fromEntries(byName);
}

/** Pairs out of names and values in turn, as a request has them. */
export function* pairsOf(
  rawHeaders: readonly string[],
): Generator<[string, string], void, undefined> {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    yield [rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""];
}

function canonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, start: string, letter: string) => {
      return start + letter.toUpperCase();
    });
}

/** An address as people write it: IPv4 that came in over IPv6 is IPv4, and no zone is told. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

/** What the filtering rules are asked about (docs/contract.md, "Expression language"; docs/assumptions.md, A165). */
export function ruleRequestOf(visit: Visit): RuleRequest {
  const { headers, ip, sent, told } = visit;
  const { platform, version } = sent.sdk;
  const app = told?.package_name ?? told?.bundle_id;
  const userAgent = headerOf(visit, "User-Agent");
  return {
    headers,
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
    sdkPlatform: SDK_PLATFORMS.find((known) => known === platform) ?? "unknown",
    sdkVersion: version,
    ...(typeof app === "string" && { appPackageName: app }),
  };
}

/** Headers that say who somebody is, and are not to be kept. */
const CREDENTIALS: readonly string[] = [
  "Authorization",
  "Cookie",
  "Proxy-Authorization",
];

/** The same without what is not to be kept. */
export function withoutCredentials(request: RuleRequest): RuleRequest {
  const headers = Object.entries(request.headers).filter(
    ([name]) => !CREDENTIALS.includes(name),
  );
  return { ...request, headers: Object.fromEntries(headers) };
}
