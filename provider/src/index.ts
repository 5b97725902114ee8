export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./program/functions/ask-function";
export * from "./program/dynamic/classes";
export * from "./program/functions/functions";
export { Provider } from "./program/dynamic/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
export {
  RotatingApiKey,
  type RotatingApiKeyArgs,
} from "./components/rotating-api-key";
export { LookupError } from "./definition/errors";
