import type * as functions from "./program/functions/asking";
import type { Provider } from "./program/dynamic/provider";

export type { DeepInput } from "./program/functions/asking";
/** Options of a data source. */
export type FunctionOptions = functions.FunctionOptions<Provider>;
/** Options of the Output form of a data source. */
export type FunctionOutputOptions = functions.FunctionOutputOptions<Provider>;
export * from "./program/dynamic/names";
export { RotatingApiKey } from "./program/dynamic/rotating-api-key";
export type { RotatingApiKeyArgs } from "./program/classes/rotating-api-key";
export { Provider } from "./program/dynamic/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
export { LookupError } from "./definition/errors";
