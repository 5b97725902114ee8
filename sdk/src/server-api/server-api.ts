import type * as z from "zod";
import {
  missingSecretKey,
  type Configuration,
} from "../configuration/configuration";
import { mismatchIn } from "../http/check-input";
import { ConfigurationError, UnexpectedAnswerError } from "../http/errors";
import type { Credential } from "../http/redact";
import { request, type CallOptions, type Transport } from "../http/request";
import type { RetryPolicy } from "../http/retry";
import { throttleFor, UNLIMITED_RATE } from "../http/throttle";
import { namedErrors, type StatusErrors } from "./named-errors";

/** Loads the schemas with the first call that needs them. */
export const loadSchemas = () => import("./schemas.js");

/** One API that takes the secret key. */
export interface ServerSurface {
  /** The base of every path. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** The headers of every call, with the key. */
  headers(key: string): Readonly<Record<string, string>>;
}

/** One call of such an API. */
export interface ServerCall extends CallOptions {
  /** For messages: the action and its object, such as `Reading event`. */
  readonly operation: string;
  /** Default: GET. A call of any of these methods may be repeated. */
  readonly method?: "DELETE" | "PATCH" | "PUT";
  /** With a leading slash. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: object;
  /** Errors by status, for answers whose code is unknown. */
  readonly errors: StatusErrors;
  readonly finalStatuses?: readonly number[];
  /** Headers in addition to the headers of the surface. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The events, legacy or DRN API over HTTP: authorisation, query, named errors, answers. */
export class ServerApi {
  constructor(
    private readonly configuration: Configuration,
    private readonly key: Credential | undefined,
    readonly surface: ServerSurface,
  ) {}

  /** The client's retry policy. A member that is left out has its default. */
  get retry(): Partial<RetryPolicy> | undefined {
    return this.surface.transport.retry;
  }

  /** The client's bound of a whole call, in milliseconds; undefined if it has none. */
  get timeoutMs(): number | undefined {
    return this.surface.transport.timeoutMs;
  }

  /** Makes a call and returns the raw body; `undefined` if the body is empty. */
  async call(call: ServerCall): Promise<unknown> {
    const { query = [], path, errors, method = "GET", headers, ...rest } = call;
    if (this.key === undefined)
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
        headers: { ...this.surface.headers(this.key.reveal()), ...headers },
      },
    );
  }

  /**
   * Makes a call and returns the answer unchanged, after checking it against the
   * schema.
   */
  async read<S extends z.core.$ZodType>(
    schema: S,
    call: ServerCall,
  ): Promise<z.output<S>> {
    const answer = await this.call(call);
    const mismatch = mismatchIn(schema, answer);
    if (mismatch === undefined) return answer as z.output<S>;
    const { redactor } = this.surface.transport;
    throw new UnexpectedAnswerError(
      redactor.redact(call.operation),
      redactor.redact(mismatch),
      { isRead: (call.method ?? "GET") === "GET" },
    );
  }
}

/**
 * A search may take 30 s on the service (docs/contract.md, "Limits"). The 504 that ends
 * it must arrive before this limit.
 */
const SEARCH_HEADERS_TIMEOUT_MS = 45_000;

/** Default rate of the DRN API, for each secret key (docs/contract.md, "GET /drn/{visitor_id}"). */
const DRN_REQUESTS_PER_SECOND = 5;

/** The APIs that take the secret key. Both versions of the events API share one throttle. */
export function serverApis(
  configuration: Configuration,
  secretKey: Credential | undefined,
  transport: Transport,
) {
  const { eventsUrl, drnUrl, eventsRequestsPerSecond } = configuration;
  const eventsRate =
    eventsRequestsPerSecond === "off"
      ? UNLIMITED_RATE
      : eventsRequestsPerSecond;
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const events: Transport = {
    ...transport,
    timeouts: {
      ...transport.timeouts,
      headersTimeoutMs:
        transport.timeouts?.headersTimeoutMs ?? SEARCH_HEADERS_TIMEOUT_MS,
    },
    readsMayBeSlow: true,
    throttle: throttleFor("events", eventsUrl, secretKey, eventsRate),
  };
  return {
    events: new ServerApi(configuration, secretKey, {
      baseUrl: `${eventsUrl}/v4`,
      headers: bearer,
      transport: events,
    }),
    legacy: new ServerApi(configuration, secretKey, {
      baseUrl: eventsUrl,
      headers: (key) => ({ "auth-api-key": key }),
      transport: events,
    }),
    deviceReputation: new ServerApi(configuration, secretKey, {
      baseUrl: drnUrl,
      headers: bearer,
      transport: {
        ...transport,
        throttle: throttleFor(
          "drn",
          drnUrl,
          secretKey,
          DRN_REQUESTS_PER_SECOND,
        ),
      },
    }),
  };
}
