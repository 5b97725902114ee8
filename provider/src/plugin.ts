// The resources and data sources of the package over the provider plugin: what
// `@devid/pulumi` has, under the same names.
export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./program/ask";
export * from "./program/functions";
export * from "./program/plugin/classes";
export * from "./program/plugin/enums";
export { RotatingApiKey } from "./program/plugin/rotating-api-key";
export type { RotatingApiKeyArgs } from "./program/rotating-api-key";
export { Provider } from "./program/plugin/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
export { LookupError } from "./definition/errors";
