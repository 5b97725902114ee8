import { REGIONS, type SettingName } from "@devid/sdk";
import { z } from "zod";
import { fieldsMarked, secret } from "./field";

/** Properties of a setting besides its type; each is false when absent. */
export interface SettingMeta {
  /**
   * The value is for one region: a provider of another region ignores the value of
   * stack config.
   */
  readonly regional?: boolean;
  /** Its value must be known when the program makes a provider: it cannot be an Output. */
  readonly plain?: boolean;
}

const registry = z.registry<SettingMeta>();

function mark<S extends z.ZodType>(schema: S, meta: SettingMeta): S {
  const copy = schema.clone();
  registry.add(copy, meta);
  return copy;
}

const key = () => mark(secret(z.string()).optional(), { regional: true });
const url = () => z.string().optional();
const rate = z.number().positive();

/**
 * The settings of a provider. `npm run gen` makes the arguments of
 * `devid.Provider` and the table in docs/configuration.md from them. The SDK reads and checks the
 * values; the defaults here repeat the SDK's.
 */
export const ProviderConfiguration = z.object({
  managementKey: key().describe("Management API key."),
  secretKey: key().describe(
    "Secret API key, for events and device reputation.",
  ),
  region: mark(z.enum(REGIONS).default("us"), { plain: true }).describe(
    "Region of the workspace.",
  ),
  endpoint: url().describe(
    "One origin that serves every surface, for example the local service.",
  ),
  managementUrl: url().describe(
    "Address of the management API; overrides `endpoint`.",
  ),
  eventsUrl: mark(url(), { regional: true }).describe(
    "Address of the events API; overrides `endpoint`.",
  ),
  drnUrl: url().describe(
    "Address of the device reputation API; overrides `endpoint`.",
  ),
  allowInsecure: z
    .boolean()
    .default(false)
    .describe(
      "Whether keys may be sent by http, without TLS, to another machine.",
    ),
  apiVersion: z
    .string()
    .default("2025-11-20")
    .describe(
      "Version of the management API. Filtering rules cannot be managed with `2024-05-20`, in which they have another form.",
    ),
  requestsPerSecond: rate
    .default(5)
    .describe("Throttle of the management API, requests per second a key."),
  eventsRequestsPerSecond: z
    .union([rate, z.literal("off")])
    .default(5)
    .describe(
      "Throttle of the events API, both versions, requests per second a key, or `off`.",
    ),
} satisfies Record<SettingName, z.ZodType>);

/** The marks of a setting other than secret. */
export function settingMeta(name: SettingName): SettingMeta {
  return registry.get(ProviderConfiguration.shape[name]) ?? {};
}

/** Names of the settings that hold a secret. */
export function secretSettings(): SettingName[] {
  return fieldsMarked(ProviderConfiguration, "secret") as SettingName[];
}

/** How to set a key in stack config, for messages about a missing key. */
export const stackConfigAdvice = (name: SettingName) =>
  `In stack config: pulumi config set --secret devid:${name}`;
