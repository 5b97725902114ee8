import type { Configuration } from "../configuration";
import { DRN_API_VERSION } from "../drn/wire";
import { DEFAULT_TIMEOUTS } from "../http/dispatcher";
import type { Transport } from "../http/request";
import { throttleFor } from "../http/throttle";
import { SecretKeyApi } from "./secret-key-api";

/** A search may take 30 s on the service (docs/contract.md, "Limits"); its 504 has to arrive before we give up. */
const SEARCH_TIMEOUTS = { ...DEFAULT_TIMEOUTS, headersTimeoutMs: 45_000 };

/** Default rate of the DRN API, for each secret key (docs/contract.md, "GET /drn/{visitor_id}"). */
const DRN_REQUESTS_PER_SECOND = 5;

/** The APIs that take the secret key. Both versions of the events API share one throttle. */
export function secretKeyApis(
  configuration: Configuration,
  transport: Transport,
) {
  const { eventsUrl, drnUrl, secretKey, eventsRequestsPerSecond } =
    configuration;
  const throttle = (surface: string, url: string, rate: number | "off") => {
    const { origin } = new URL(url);
    const scope = { surface, origin, key: secretKey?.value ?? "" };
    return rate === "off" ? undefined : throttleFor(scope, rate);
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const events: Transport = {
    ...transport,
    timeouts: transport.timeouts ?? SEARCH_TIMEOUTS,
    throttle: throttle("events", eventsUrl, eventsRequestsPerSecond),
  };
  return {
    events: new SecretKeyApi(configuration, {
      baseUrl: `${eventsUrl}/v4`,
      headers: bearer,
      transport: events,
    }),
    legacy: new SecretKeyApi(configuration, {
      baseUrl: eventsUrl,
      headers: (key) => ({ "auth-api-key": key }),
      transport: events,
    }),
    drn: new SecretKeyApi(configuration, {
      baseUrl: drnUrl,
      headers: (key) => ({ ...bearer(key), "x-api-version": DRN_API_VERSION }),
      transport: {
        ...transport,
        throttle: throttle("drn", drnUrl, DRN_REQUESTS_PER_SECOND),
      },
    }),
  };
}
