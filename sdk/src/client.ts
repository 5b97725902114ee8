import { type Configuration, missingManagementKey } from "./configuration";
import { Drn } from "./device-reputation/device-reputation";
import type { Timeouts } from "./http/connections";
import { ConfigurationError, UnauthorizedError } from "./http/errors";
import { Redactor } from "./http/redact";
import type { RequestInfo, Transport } from "./http/request";
import type { RetryPolicy } from "./http/retry";
import { throttleFor } from "./http/throttle";
import { ApiKeys } from "./management/api-keys";
import { EncryptionKeys } from "./management/encryption-keys";
import { Environments } from "./management/environments";
import { FilteringRules } from "./management/filtering-rules";
import { ManagementApi } from "./management/management-api";
import { Webhooks } from "./management/webhooks";
import { Events } from "./server-api/events";
import { LegacyEvents } from "./server-api/legacy-events";
import { secretKeyApis } from "./server-api/server-api";

/** What can be changed about how a client talks. */
export interface ClientOptions {
  readonly retry?: RetryPolicy;
  readonly timeouts?: Timeouts;
  /** Ends every call under way, and lets none begin, when it is aborted. */
  readonly signal?: AbortSignal;
  /** Told after each attempt; it sees no header and no body. */
  readonly onRequest?: (info: RequestInfo) => void;
}

/** A typed client of one workspace. Making one sends nothing. */
export interface Client {
  readonly configuration: Configuration;
  readonly apiKeys: ApiKeys;
  readonly webhooks: Webhooks;
  readonly encryptionKeys: EncryptionKeys;
  readonly filteringRules: FilteringRules;
  readonly environments: Environments;
  readonly events: Events;
  /** Version 3 of the events API. @deprecated Use `events`. */
  readonly legacy: LegacyEvents;
  /** Device reputation. */
  readonly drn: Drn;
  /** Takes this client's keys, and every token it has seen, out of a text. */
  redact(text: string): string;
}

/**
 * Makes a client of the workspace that a configuration names.
 *
 * @example
 * const client = createClient(resolveConfiguration([]));
 * for await (const key of client.apiKeys.listAll()) console.log(key.name);
 */
export function createClient(
  configuration: Configuration,
  options: ClientOptions = {},
): Client {
  const redactor = new Redactor();
  redactor.add(
    configuration.managementKey?.value,
    configuration.secretKey?.value,
  );
  const transport: Transport = { ...options, redactor };
  const management = managementApi(configuration, transport);
  const { events, legacy, drn } = secretKeyApis(configuration, transport);
  return {
    configuration,
    apiKeys: new ApiKeys(management),
    webhooks: new Webhooks(management),
    encryptionKeys: new EncryptionKeys(management),
    filteringRules: new FilteringRules(management),
    environments: new Environments(management),
    events: new Events(events),
    legacy: new LegacyEvents(legacy),
    drn: new Drn(drn),
    redact: (text) => redactor.redact(text),
  };
}

function managementApi(
  configuration: Configuration,
  transport: Transport,
): ManagementApi {
  const { managementUrl, managementKey, requestsPerSecond } = configuration;
  const scope = {
    surface: "management",
    origin: new URL(managementUrl).origin,
    key: managementKey?.value ?? "",
  };
  return new ManagementApi(
    managementUrl,
    () => {
      if (managementKey) return managementKey.value;
      throw new ConfigurationError(missingManagementKey(configuration));
    },
    configuration.apiVersion,
    {
      ...transport,
      throttle: throttleFor(scope, requestsPerSecond),
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
    `The management key that was sent is that of ${configuration.managementKey?.from}; ` +
    `it must be a management API key (not a secret or public key) of the workspace in region ${configuration.region}.`
  );
}
