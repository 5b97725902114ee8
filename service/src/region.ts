/** The regions of the service; the local service has one workspace in each. */
export const REGIONS = ["us", "eu", "ap"] as const;

/** A region, and with it one of the three workspaces. */
export type Region = (typeof REGIONS)[number];

/** Builds a value for each region. */
export function perRegion<T>(build: (region: Region) => T): Record<Region, T> {
  return { us: build("us"), eu: build("eu"), ap: build("ap") };
}
