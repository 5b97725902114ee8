import type { RuleRequest } from "@devid/rules";
import { canonicalHeaderName } from "@devid/rules/language";
import type { Event } from "@devid/sdk";
import type { IdentificationBody } from "../agent/identification-wire";
import type { z } from "zod";
import type { ApiKeyRow } from "../store/schema";

/** A request to identify a visitor, from a browser or from a control call. */
export interface Visit {
  /** The public key of the request; it has passed all checks. */
  readonly key: ApiKeyRow;
  readonly headers: CanonicalHeaders;
  /** The address that the request came from, if it is known. */
  readonly ip: string | undefined;
  /** What the agent sent; an app sends no `url`. */
  readonly sent: Omit<z.output<typeof IdentificationBody>, "url"> & {
    readonly url?: string | undefined;
  };
  /** Members of the event that only a control call sets, such as `emulator`. */
  readonly eventMembers?: Partial<Event> | undefined;
}

/** The first value of a header. */
export function headerOf({ headers }: Visit, name: string): string | undefined {
  return headers[name]?.[0];
}

/** Headers under their canonical names, such as `Sec-Ch-Ua`. */
type CanonicalHeaders = Readonly<Record<string, readonly string[]>>;

/**
 * Collects headers under their canonical names, as rules spell them. A text that is no
 * name is kept unchanged. A repeated header keeps all its values in their order.
 */
export function canonicalHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): CanonicalHeaders {
  const byName = new Map<string, string[]>();
  for (const [given, value] of headers) {
    const name = canonicalHeaderName(given) ?? given;
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  return Object.fromEntries(byName);
}

/**
 * Pairs alternating names and values, the form in which Node has the headers of a
 * request.
 */
export function* pairsOf(
  rawHeaders: readonly string[],
): Generator<[string, string], void, undefined> {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    yield [rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""];
}

/**
 * An address in its usual spelling: an IPv4 address in IPv6 form becomes plain
 * IPv4, and a zone such as `%eth0` is dropped.
 */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

/**
 * The request that the filtering rules are evaluated on (docs/contract.md,
 * "Expression language"; docs/assumptions.md, A165).
 */
export function ruleRequestOf(visit: Visit): RuleRequest {
  const { headers, ip, sent, eventMembers } = visit;
  const { platform, version } = sent.sdk;
  const app = eventMembers?.package_name ?? eventMembers?.bundle_id;
  const userAgent = headerOf(visit, "User-Agent");
  return {
    headers,
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
    sdkPlatform: platform,
    sdkVersion: version,
    ...(typeof app === "string" && { appPackageName: app }),
  };
}

/** Headers that hold credentials and must not be stored. */
const CREDENTIALS: readonly string[] = [
  "Authorization",
  "Cookie",
  "Proxy-Authorization",
];

/** The request without headers that hold credentials. */
export function withoutCredentials(request: RuleRequest): RuleRequest {
  const headers = Object.entries(request.headers).filter(
    ([name]) => !CREDENTIALS.includes(name),
  );
  return { ...request, headers: Object.fromEntries(headers) };
}
