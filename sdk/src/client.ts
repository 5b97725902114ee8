import type { Configuration } from "./configuration";
import { ConfigurationError } from "./http/errors";
import { Redactor } from "./http/redact";
import type { RequestInfo, Transport } from "./http/request";
import type { RetryPolicy } from "./http/retry";
import { throttleFor } from "./http/throttle";
import type { Timeouts } from "./http/dispatcher";
import { ApiKeys } from "./management/api-keys";
import { EncryptionKeys } from "./management/encryption-keys";
import { Environments } from "./management/environments";
import { FilteringRules } from "./management/filtering-rules";
import { ManagementApi } from "./management/management-api";
import { Webhooks } from "./management/webhooks";

/** What can be changed about how a client talks. */
export interface ClientOptions {
  readonly retry?: RetryPolicy;
  readonly timeouts?: Timeouts;
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
  const key = configuration.managementKey;
  const transport: Transport = {
    ...options,
    redactor,
    throttle: throttleFor(
      new URL(configuration.managementUrl).origin,
      key?.value ?? "",
      configuration.requestsPerSecond,
    ),
    hint: (status) =>
      status === 401 ? wrongKeyHint(configuration) : undefined,
  };
  const api = new ManagementApi(
    configuration.managementUrl,
    () => {
      if (!key)
        throw new ConfigurationError(missingManagementKey(configuration));
      return key.value;
    },
    configuration.apiVersion,
    transport,
  );
  return {
    configuration,
    apiKeys: new ApiKeys(api),
    webhooks: new Webhooks(api),
    encryptionKeys: new EncryptionKeys(api),
    filteringRules: new FilteringRules(api),
    environments: new Environments(api),
    redact: (text) => redactor.redact(text),
  };
}

/** The message for a configuration without a management key: which key, where it was looked for, in what order. */
export function missingManagementKey(configuration: Configuration): string {
  const places = configuration.lookedFor.managementKey
    .map((place, index) => `\n  ${index + 1}. ${place}`)
    .join("");
  return (
    `The management API key of region ${configuration.region} is missing. It was looked for, in this order, in:${places}\n` +
    `Make one in the service's dashboard; a stack keeps it encrypted with: pulumi config set --secret devid:managementKey`
  );
}

function wrongKeyHint(configuration: Configuration): string {
  return (
    `The management key that was sent is that of ${configuration.managementKey?.from}; ` +
    `it must be a management API key (not a secret or public key) of the workspace in region ${configuration.region}.`
  );
}
