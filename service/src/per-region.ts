import type { Region } from "@devid/sdk";

/** Builds a value for each region, and with it for each of the three workspaces. */
export function perRegion<T>(build: (region: Region) => T): Record<Region, T> {
  return { us: build("us"), eu: build("eu"), ap: build("ap") };
}
