// The resources and data sources of the package over the provider plugin: what
// `@devid/pulumi` has, under the same names.
import type * as functions from "./program/functions/asking";
import type { Provider } from "./program/plugin/provider";

export type { DeepInput } from "./program/functions/asking";
/** Options of a data source. */
export type FunctionOptions = functions.FunctionOptions<Provider>;
/** Options of the Output form of a data source. */
export type FunctionOutputOptions = functions.FunctionOutputOptions<Provider>;
export * from "./program/plugin/enums";
export * from "./program/plugin/names";
export { RotatingApiKey } from "./program/plugin/rotating-api-key";
export type { RotatingApiKeyArgs } from "./program/classes/rotating-api-key";
export { Provider } from "./program/plugin/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
