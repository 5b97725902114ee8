import { REGIONS, settingVariables, type SettingName } from "@devid/sdk";
import { z } from "zod";
import { OverridesForm } from "../session/resource-settings";
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
      "Throttle of the events API, requests per second a key, or `off`.",
    ),
  adopt: z
    .enum(["byName"])
    .optional()
    .describe(
      "`byName`: a new resource takes over the one object that has its name or address, type and environment, and that no resource has.",
    ),
  overrides: OverridesForm.optional().describe(
    "Values of inputs in place of those of the program, by kind and by the name of the resource. For a rule set also `without` (names of rules), `first` and `last` (rules, or a rule file).",
  ),
} satisfies Record<SettingName, z.ZodType> &
  Record<"adopt" | "overrides", z.ZodType>);

/** The name of a setting of a provider. */
export type ProviderSetting = keyof typeof ProviderConfiguration.shape;

/** The names of all settings of a provider. */
export const PROVIDER_SETTINGS = Object.keys(
  ProviderConfiguration.shape,
) as readonly ProviderSetting[];

/** The environment variables of a setting; the first one that is set counts. */
export const variablesOf = (name: ProviderSetting): string[] =>
  name === "overrides"
    ? []
    : name === "adopt"
      ? ["DEVID_ADOPT"]
      : settingVariables(name);

/** The marks of a setting other than secret. */
export function settingMeta(name: ProviderSetting): SettingMeta {
  return registry.get(ProviderConfiguration.shape[name]) ?? {};
}

/** Names of the settings that hold a secret. */
export function secretSettings(): SettingName[] {
  return fieldsMarked(ProviderConfiguration, "secret") as SettingName[];
}

/** How to set a key in stack config, for messages about a missing key. */
export const stackConfigAdvice = (name: SettingName) =>
  `In stack config: pulumi config set --secret devid:${name}`;
