import { FingerprintError } from "./fingerprint-error";

/** Endpoints without a default one after them. Made by `withoutDefault`, not by hand. */
export interface WithoutDefault {
  readonly __type__: "withoutDefault";
  readonly value: string | readonly string[];
}

/** The key and the endpoint in the address of a script. */
export interface ScriptAddress {
  readonly apiKey?: string;
  readonly endpoint?: string;
  /** Version of the vendor's loader, if the loader imports the script. */
  readonly loaderVersion?: string;
}

/**
 * Excludes the script's own service from the endpoints (docs/contract.md, "start()").
 *
 * @example
 * start({ apiKey, endpoints: withoutDefault("http://127.0.0.1:8787/us") });
 */
export function withoutDefault(
  value: string | readonly string[],
): WithoutDefault {
  return { __type__: "withoutDefault", value };
}

/**
 * Reads `{endpoint}/web/v4/{apiKey}`. A query belongs to the endpoint, because a proxy
 * may name the region there. `ci=jsl/{version}` in the query comes from the vendor's
 * loader (docs/contract.md, "Agent addresses"). For any other address the result is
 * empty.
 */
export function readScriptAddress(address: string): ScriptAddress {
  const url = new URL(address);
  const [, path, apiKey] = /^(.*)\/web\/v4\/([^/]+)$/.exec(url.pathname) ?? [];
  if (apiKey === undefined) return {};
  const [, loaderVersion] =
    /^jsl\/(.+)$/.exec(url.searchParams.get("ci") ?? "") ?? [];
  if (loaderVersion !== undefined) url.searchParams.delete("ci");
  return {
    apiKey: decodeURIComponent(apiKey),
    endpoint: `${url.origin}${path}${url.search}`,
    loaderVersion,
  };
}

/**
 * Addresses that the agent posts to, in order: the addresses of `endpoints`, then the
 * address of `ownEndpoint`, the service that the script came from (docs/assumptions.md,
 * A181). There are no other addresses, because data of the page must only reach servers
 * that the page names. An endpoint that is no http or https address is skipped with a
 * warning. If `page` is given, endpoints may be relative to it, as in the vendor's
 * loader. Throws FingerprintError `endpoints_misconfigured` for a wrong type and for an
 * empty array, `invalid_endpoint` when every endpoint is skipped and no other address
 * is left.
 */
export function addressesOf(
  apiKey: string,
  endpoints: unknown,
  { ownEndpoint, page }: { ownEndpoint?: string; page?: string } = {},
): readonly string[] {
  const isAlone = isWithoutDefault(endpoints);
  const given =
    endpoints === undefined
      ? []
      : listOf(isAlone ? endpoints.value : endpoints);
  const last = isAlone || ownEndpoint === undefined ? [] : [ownEndpoint];
  const valid = given.filter((endpoint) => isAddress(endpoint, page));
  const all = [...valid, ...last];
  if (all.length === 0 && given.length > 0)
    throw new FingerprintError(
      "invalid_endpoint",
      `None of the endpoints is an http or https address: ${given.join(", ")}.`,
    );
  return [...new Set(all.map((endpoint) => addressOf(endpoint, apiKey, page)))];
}

/** Whether a value was made by `withoutDefault`, here or in another copy of the agent. */
function isWithoutDefault(value: unknown): value is WithoutDefault {
  const { __type__ } = (value ?? {}) as Partial<WithoutDefault>;
  return __type__ === "withoutDefault";
}

function listOf(endpoints: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(endpoints)
    ? endpoints
    : [endpoints];
  if (list.length > 0 && list.every((item) => typeof item === "string"))
    return list;
  throw new FingerprintError(
    "endpoints_misconfigured",
    "endpoints has to be an address, an array with at least one address, or withoutDefault(...) of either.",
  );
}

function isAddress(endpoint: string, page: string | undefined): boolean {
  try {
    if (/^https?:$/.test(new URL(endpoint, page).protocol)) return true;
  } catch {
    // A text that is no URL gets the warning below.
  }
  console.warn(
    `The endpoint ${JSON.stringify(endpoint)} is skipped: it is no http or https address.`,
  );
  return false;
}

/** `{endpoint}/web/v4/{apiKey}`, before the endpoint's query (docs/contract.md, "Agent addresses"). */
function addressOf(
  endpoint: string,
  apiKey: string,
  page: string | undefined,
): string {
  const url = new URL(endpoint, page);
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/web/v4/${encodeURIComponent(apiKey)}`;
  return url.href;
}
