/** Regions of the service (docs/contract.md, "Regions"). */
export const REGIONS = ["us", "eu", "ap"] as const;

/** One region. */
export type Region = (typeof REGIONS)[number];
