import { z } from "zod";
import { type Configuration, missingSecretKey } from "../configuration";
import { DEFAULT_TIMEOUTS } from "../http/connections";
import { ConfigurationError, UnexpectedAnswerError } from "../http/errors";
import { request, type Transport } from "../http/request";
import { throttleFor } from "../http/throttle";
import { namedErrors, type StatusErrors } from "./named-errors";
import { DRN_API_VERSION } from "../wire/device-reputation";

/** One API that takes the secret key. */
export interface SecretKeySurface {
  /** Paths are appended to it. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** How the key is shown, and what else every call carries. */
  headers(key: string): Readonly<Record<string, string>>;
}

/** One call of such an API. */
export interface SecretKeyCall {
  /** For messages: what is done, to what. */
  readonly operation: string;
  /** All of them may be repeated; GET unless said otherwise. */
  readonly method?: "PATCH" | "PUT";
  /** With a leading slash. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: object;
  /** What a status means here, where the code does not tell. */
  readonly errors: StatusErrors;
  readonly finalStatuses?: readonly number[];
  readonly signal?: AbortSignal;
}

/** The events, legacy or DRN API as a wire: authorisation, query, named errors, answers. */
export class SecretKeyApi {
  constructor(
    readonly configuration: Configuration,
    readonly surface: SecretKeySurface,
  ) {}

  /** Makes a call and answers the raw body; `undefined` when it is empty. */
  async call(call: SecretKeyCall): Promise<unknown> {
    const { query = [], path, errors, method = "GET", ...rest } = call;
    const key = this.configuration.secretKey;
    if (!key)
      throw new ConfigurationError(missingSecretKey(this.configuration));
    const url = new URL(this.surface.baseUrl + path);
    for (const [name, value] of query) url.searchParams.append(name, value);
    const errorFor = namedErrors(this.configuration, errors);
    return request(
      { ...this.surface.transport, errorFor },
      {
        ...rest,
        method,
        url,
        idempotent: true,
        headers: this.surface.headers(key.value),
      },
    );
  }

  /** Makes a call and answers what came, untouched, once it is known to have the schema's form. */
  async read<S extends z.ZodType>(
    schema: S,
    call: SecretKeyCall,
  ): Promise<z.output<S>> {
    const answer = await this.call(call);
    const checked = schema.safeParse(answer);
    if (checked.success) return answer as z.output<S>;
    const { redactor } = this.surface.transport;
    throw new UnexpectedAnswerError(
      redactor.redact(call.operation),
      redactor.redact(z.prettifyError(checked.error)),
    );
  }
}

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
