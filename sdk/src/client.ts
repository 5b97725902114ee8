import {
  assertKinds,
  assertKnown,
  configurationOf,
  CONNECTION_KINDS,
  keyIn,
  KEY_OF_URL,
  KIND,
  missingManagementKey,
  type Configuration,
  type ConnectionOptions,
  type Kind,
} from "./configuration/configuration";
import { DeviceReputations } from "./device-reputation/device-reputation";
import { isAbortSignal } from "./http/abortable";
import { DEFAULT_TIMEOUTS, isAboveZero } from "./http/timeouts";
import { ConfigurationError, UnauthorizedError } from "./http/errors";
import { Credential, Redactor } from "./http/redact";
import { usableProxyOf } from "./http/proxy";
import type { Transport, TransportOptions } from "./http/request";
import { retryViolations } from "./http/retry";
import { throttleFor } from "./http/throttle";
import { collectionsOver, type Collections } from "./management/collections";
import { ManagementApi } from "./management/management-api";
import { Events } from "./server-api/events";
import { serverApis } from "./server-api/server-api";
import { Visitors } from "./server-api/visitors";

/** Options of a client: the workspace, its keys, and how requests are sent. */
export interface ClientOptions extends ConnectionOptions, TransportOptions {}

/** The kinds of the options that say how requests are sent. */
const TRANSPORT_KINDS: Readonly<Record<keyof TransportOptions, Kind>> = {
  timeoutMs: ["a number above 0", isAboveZero],
  timeouts: KIND.object,
  retry: KIND.object,
  fetch: KIND.function,
  signal: ["an AbortSignal", isAbortSignal],
  finishesWrites: KIND.flag,
  onRequest: KIND.function,
};

/** A typed client of one workspace. Making one sends nothing. */
export interface Client extends Collections {
  readonly configuration: Configuration;
  readonly events: Events;
  readonly visitors: Visitors;
  readonly deviceReputation: DeviceReputations;
  /**
   * Removes this client's keys, and every token that it has seen, from a text.
   *
   * @example
   * console.log(client.redact(String(error)));
   */
  redact(text: string): string;
}

/**
 * Makes a client of one workspace. A key may be left out; then a call that needs
 * it fails before anything is sent.
 *
 * @example
 * const client = createClient({ region: "eu", secretKey, managementKey });
 * for await (const key of client.apiKeys.listAll()) console.log(key.name);
 * @throws ConfigurationError naming an option that is unknown or cannot be used, or the
 * variable of a proxy that cannot be used
 */
export function createClient(options: ClientOptions): Client {
  assertKinds(options, TRANSPORT_KINDS);
  assertKnown(
    options,
    { ...CONNECTION_KINDS, ...TRANSPORT_KINDS },
    "createClient",
  );
  const wrongRetry = retryViolations(options.retry);
  if (wrongRetry.length > 0)
    throw new ConfigurationError(
      `createClient cannot use its options: ${wrongRetry.map(({ property, message }) => `${property} ${message}`).join("; ")}`,
    );
  const { timeouts = {} } = options;
  assertKnown(timeouts, DEFAULT_TIMEOUTS, "timeouts");
  for (const [name, ms] of Object.entries(timeouts))
    if (ms !== undefined && !isAboveZero(ms))
      throw new ConfigurationError(
        `createClient cannot use its options: timeouts.${name} must be a number above 0`,
      );
  const configuration = configurationOf(options);
  if (!options.fetch)
    for (const [url, key] of KEY_OF_URL)
      if (configuration[key]) usableProxyOf(new URL(configuration[url]));
  const managementKey = credentialIn(options.managementKey);
  const secretKey = credentialIn(options.secretKey);
  const redactor = new Redactor();
  redactor.add(managementKey?.reveal(), secretKey?.reveal());
  const { timeoutMs, retry, fetch, signal, finishesWrites, onRequest } =
    options;
  const transport: Transport = {
    redactor,
    ...{ timeouts, timeoutMs, retry, fetch, signal, finishesWrites, onRequest },
  };
  const management = managementApi(configuration, managementKey, transport);
  const server = serverApis(configuration, secretKey, transport);
  return {
    configuration,
    ...collectionsOver(management),
    events: new Events(server.events),
    visitors: new Visitors(server.events),
    deviceReputation: new DeviceReputations(server.deviceReputation),
    redact: (text) => redactor.redact(String(text)),
  };
}

function credentialIn(option: string | undefined): Credential | undefined {
  const key = keyIn(option);
  return key === undefined ? undefined : new Credential(key);
}

function managementApi(
  configuration: Configuration,
  key: Credential | undefined,
  transport: Transport,
): ManagementApi {
  const { managementUrl, requestsPerSecond } = configuration;
  return new ManagementApi(
    configuration,
    () => {
      if (key !== undefined) return key.reveal();
      throw new ConfigurationError(missingManagementKey(configuration));
    },
    {
      ...transport,
      throttle: throttleFor(
        "management",
        managementUrl,
        key,
        requestsPerSecond,
      ),
      errorFor: (details) =>
        details.status === 401
          ? new UnauthorizedError({
              ...details,
              hint: wrongKeyHint(configuration),
            })
          : undefined,
    },
  );
}

function wrongKeyHint(configuration: Configuration): string {
  return (
    `The management key came from ${configuration.managementKey?.from}; ` +
    `it must be a management API key (not a secret or public key) of the workspace in region ${configuration.region}.`
  );
}
