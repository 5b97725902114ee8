export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./adapters/dynamic/program/ask-function";
export * from "./adapters/dynamic/program/classes";
export * from "./adapters/dynamic/program/functions";
export { Provider } from "./adapters/dynamic/program/provider";
export {
  ifKnown,
  knownOutputs,
} from "./adapters/dynamic/program/require-outputs";
export type { ProviderArgs } from "./adapters/dynamic/program/provider-args";
export {
  RotatingApiKey,
  type RotatingApiKeyArgs,
} from "./components/rotating-api-key";
export { LookupError } from "./definition/errors";
