/** What the address of a script tells: whose it is, and where to send to. */
export interface ScriptAddress {
  readonly apiKey?: string;
  readonly endpoint?: string;
}

/**
 * Reads `{endpoint}/web/v4/{apiKey}`; a query belongs to the endpoint, for a
 * proxy may name the region there (docs/contract.md, "Agent addresses"). Any
 * other address tells nothing.
 */
export function readScriptAddress(address: string): ScriptAddress {
  const url = new URL(address);
  const [, path, apiKey] = /^(.*)\/web\/v4\/([^/]+)$/.exec(url.pathname) ?? [];
  if (apiKey === undefined) return {};
  return {
    apiKey: decodeURIComponent(apiKey),
    endpoint: `${url.origin}${path}${url.search}`,
  };
}
