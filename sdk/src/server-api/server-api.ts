import { labelOf } from "../kind-of";
import { missingKey, type Configuration } from "../configuration/configuration";
import { checkInput, mismatchIn } from "../http/check-input";
import { objectArgument } from "../http/object-argument";
import { ConfigurationError, UnexpectedAnswerError } from "../http/errors";
import type { Credential } from "../http/redact";
import { pathTo } from "../http/path";
import {
  callOptions,
  request,
  type CallOptions,
  type Transport,
} from "../http/request";
import { throttleFor, UNLIMITED_RATE } from "../http/throttle";
import { camelPath, snakeKeys } from "../wire/casing";
import type {
  ServerAnswer,
  ServerOperation,
  ServerOperations,
} from "../wire/server-operations";
import { namedErrors } from "./named-errors";
import type { Query } from "./search-arguments";

/** Loads the schemas with the first call that needs them. */
const loadSchemas = () => import("./schemas.js");

/** What one call gives to its operation, before it is checked. */
interface Given {
  /** The ID in the path. */
  readonly id?: string;
  /** For messages, in place of the ID. */
  readonly label?: string;
  /** The arguments of the query, in our spelling. */
  readonly args?: object;
  /** The query, if its arguments were checked already. */
  readonly query?: Query;
  /** The members of the body, in our spelling. */
  readonly body?: object;
}

/** The events or DRN API over HTTP: authorisation, query, named errors, answers. */
export class ServerApi {
  constructor(
    private readonly configuration: Configuration,
    private readonly key: Credential | undefined,
    /** The base of every path. */
    private readonly baseUrl: string,
    readonly transport: Transport,
  ) {}

  /**
   * Calls an operation, and returns its answer unchanged, after checking it.
   * @throws InvalidInputError, UnexpectedAnswerError; what `request` throws
   */
  async call<N extends keyof ServerOperations>(
    name: N,
    { id, label = id, args = {}, query: pairs, body: members = {} }: Given,
    options: CallOptions = {},
  ): Promise<ServerAnswer<N>> {
    const { SERVER_OPERATIONS, queryOf } = await loadSchemas();
    const described: ServerOperation = SERVER_OPERATIONS[name];
    const { method, doing, query, body, answer, errorNames = {} } = described;
    const { transport } = this;
    const { redactor } = transport;
    const operation = redactor.redact(`${doing} ${labelOf(label)}`);
    const path = described.path.replace(/\/:(\w+)/, (_, called: string) =>
      pathTo("", { [camelPath(called)]: id }, operation),
    );
    const url = new URL(this.baseUrl + path);
    for (const [key, value] of pairs ??
      (query ? queryOf(query, args, operation) : []))
      url.searchParams.append(key, value);
    const checked =
      body &&
      checkInput(
        body.strict(),
        snakeKeys(objectArgument(members, operation)),
        operation,
      );
    if (this.key === undefined)
      throw new ConfigurationError(missingKey(this.configuration, "secretKey"));
    const errorFor = namedErrors(this.configuration, errorNames);
    const statuses = Object.keys(errorNames).map(Number);
    const answered = await request(
      { ...transport, errorFor },
      {
        ...callOptions(options, operation),
        ...{ operation, method, url, body: checked, idempotent: true },
        finalStatuses: statuses.filter((status) => status >= 500),
        // An event that is too new to be changed (docs/assumptions.md, A51).
        earlyStatuses: statuses.filter((status) => status === 409),
        headers: {
          authorization: `Bearer ${this.key.reveal()}`,
          ...described.headers,
        },
      },
    );
    const mismatch = mismatchOf(described, id, answered);
    if (mismatch === undefined) return (answer && answered) as ServerAnswer<N>;
    throw new UnexpectedAnswerError(operation, redactor.redact(mismatch), {
      isRead: method === "GET",
    });
  }
}

/**
 * What shows that an answer is not the answer to the call: it does not fit the schema, it
 * is about another object, or it has a body where the service sends none, as that of a gateway.
 * Undefined for a right answer.
 */
function mismatchOf(
  { answer, idAt }: ServerOperation,
  id: string | undefined,
  answered: unknown,
): string | undefined {
  const mismatch = answer && mismatchIn(answer, answered);
  if (mismatch !== undefined) return mismatch;
  const body = answered as Record<string, unknown> | null | undefined;
  const found = idAt === undefined ? undefined : body?.[idAt];
  if (typeof found === "string" && found !== id)
    return `the body is about ${found}`;
  return answer || answered === undefined || found === id
    ? undefined
    : "a body, where the service sends none";
}

/**
 * A search may take 30 s on the service (docs/contract.md, "Limits"). The 504 that ends
 * it must arrive before this limit.
 */
const SEARCH_HEADERS_TIMEOUT_MS = 45_000;

/** Default rate of the DRN API, for each secret key (docs/contract.md, "GET /drn/{visitor_id}"). */
const DRN_REQUESTS_PER_SECOND = 5;

/** The APIs that take the secret key. */
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
  const reputation: Transport = {
    ...transport,
    throttle: throttleFor("drn", drnUrl, secretKey, DRN_REQUESTS_PER_SECOND),
  };
  const api = (baseUrl: string, own: Transport) =>
    new ServerApi(configuration, secretKey, baseUrl, own);
  return {
    events: api(`${eventsUrl}/v4`, events),
    deviceReputation: api(drnUrl, reputation),
  };
}
