/**
 * Raises the rate limit of the programs that tests start. The local services of
 * tests have no limit, so waiting would only cost time.
 */
export const UNTHROTTLED = {
  DEVID_REQUESTS_PER_SECOND: "10000",
  DEVID_EVENTS_REQUESTS_PER_SECOND: "off",
} as const;
