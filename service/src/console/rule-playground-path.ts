import type { Region } from "@devid/sdk";

/**
 * The address of a region's rule playground, which begins with the rules of an
 * `environment`, or with the request of a `visit`: `decision:{number}` or `event:{id}`.
 */
export function rulePlaygroundPath(
  region: Region,
  begin: { readonly environment?: string; readonly visit?: string } = {},
): string {
  const query = new URLSearchParams(begin).toString();
  return `/playground/${region}/rules${query && `?${query}`}`;
}
