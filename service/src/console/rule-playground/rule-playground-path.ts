import type { Region } from "@devid/sdk";

/** The address of a region's rule playground, which begins with these rules and this request. */
export function rulePlaygroundPath(
  region: Region,
  begin: {
    /** ID of the environment whose rules it shows. */
    readonly environment?: string;
    /** Number of a decision, or ID of an event, whose request it shows. */
    readonly decision?: string;
    readonly event?: string;
  } = {},
): string {
  const query = new URLSearchParams(begin).toString();
  return `/playground/${region}/rules${query && `?${query}`}`;
}
