/**
 * Lets the programs that tests start call as often as they can: the local
 * services of tests have no rate limit, and to wait for one takes its time.
 */
export const UNTHROTTLED = {
  DEVID_REQUESTS_PER_SECOND: "10000",
  DEVID_EVENTS_REQUESTS_PER_SECOND: "off",
} as const;
