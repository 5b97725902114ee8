export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./program/ask";
export * from "./program/functions";
export * from "./program/dynamic/classes";
export { RotatingApiKey } from "./program/dynamic/rotating-api-key";
export type { RotatingApiKeyArgs } from "./program/rotating-api-key";
export { Provider } from "./program/dynamic/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
export { LookupError } from "./definition/errors";
