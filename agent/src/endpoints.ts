import { REGIONS, type Region } from "./regions";
import { FingerprintError } from "./fingerprint-error";
import type { CommonStartOptions } from "./start-options";
import { isWithoutDefault } from "./without-default";

/** Where `devid serve` listens unless it is told otherwise. */
const LOCAL_SERVICE = "http://127.0.0.1:8787";

/** Addresses to try in turn; there is always one. */
export type Addresses = readonly [string, ...string[]];

/**
 * Addresses of the identification endpoint, in the order of `endpoints`, then
 * at `ownEndpoint`, by default the local service's for the region
 * (docs/contract.md, "start()"). What is no http(s) address is skipped with a
 * warning. Throws FingerprintError `endpoints_misconfigured` for a wrong type
 * and for an empty array, `invalid_endpoint` when no address is left.
 */
export function addressesOf(
  apiKey: string,
  { endpoints, region }: CommonStartOptions,
  ownEndpoint?: string,
): Addresses {
  const given =
    endpoints === undefined
      ? []
      : listOf(isWithoutDefault(endpoints) ? endpoints.value : endpoints);
  const valid = given.filter(isAddress);
  const last = isWithoutDefault(endpoints)
    ? []
    : [ownEndpoint ?? `${LOCAL_SERVICE}/${region ?? regionIn(valid) ?? "us"}`];
  const all = [...valid, ...last].map((endpoint) =>
    addressOf(endpoint, apiKey),
  );
  const [first, ...others] = new Set(all);
  if (first !== undefined) return [first, ...others];
  throw new FingerprintError(
    "invalid_endpoint",
    `None of the endpoints is an http or https address: ${given.join(", ")}.`,
  );
}

function listOf(endpoints: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(endpoints)
    ? endpoints
    : [endpoints];
  if (list.length > 0 && list.every((item) => typeof item === "string"))
    return list;
  throw misconfigured();
}

function misconfigured(): FingerprintError {
  return new FingerprintError(
    "endpoints_misconfigured",
    "endpoints has to be an address, an array with at least one address, or withoutDefault(...) of either.",
  );
}

function isAddress(endpoint: string): boolean {
  try {
    if (/^https?:$/.test(new URL(endpoint).protocol)) return true;
  } catch {
    // Told below.
  }
  console.warn(
    `The endpoint ${JSON.stringify(endpoint)} is skipped: it is no http or https address.`,
  );
  return false;
}

/** A proxy names the region in its query (docs/contract.md, "start()"). */
function regionIn(endpoints: readonly string[]): Region | undefined {
  return endpoints
    .map((endpoint) => new URL(endpoint).searchParams.get("region"))
    .map((named) => REGIONS.find((region) => region === named))
    .find((region) => region !== undefined);
}

/** `{endpoint}/web/v4/{apiKey}`, before the endpoint's query (docs/contract.md, "Agent addresses"). */
function addressOf(endpoint: string, apiKey: string): string {
  const url = new URL(endpoint);
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/web/v4/${encodeURIComponent(apiKey)}`;
  return url.href;
}
