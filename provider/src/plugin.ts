// The resources and data sources of the package over the provider plugin: what
// `@devid/pulumi` has, under the same names.
import {
  RotatingApiKey as DynamicRotatingApiKey,
  type RotatingApiKeyArgs,
} from "./components/rotating-api-key";
import type * as functions from "./program/functions/asking";
import { ApiKey } from "./program/plugin/classes";
import type { Provider } from "./program/plugin/provider";

export type { DeepInput } from "./program/functions/asking";
/** Options of a data source. */
export type FunctionOptions = functions.FunctionOptions<Provider>;
/** Options of the Output form of a data source. */
export type FunctionOutputOptions = functions.FunctionOutputOptions<Provider>;
export * from "./program/plugin/classes";
export * from "./program/plugin/enums";
export * from "./program/plugin/functions";
export { Provider } from "./program/plugin/provider";
export { ifKnown, knownOutputs } from "./program/require-outputs";
export type { ProviderArgs } from "./program/provider-args";
export type { RotatingApiKeyArgs };

/** API keys of the plugin that replace each other while at least one of them is always accepted. */
export class RotatingApiKey extends DynamicRotatingApiKey {
  protected override makeKey(
    ...[name, args, opts]: ConstructorParameters<typeof ApiKey>
  ): ApiKey {
    return new ApiKey(name, args, opts);
  }
}
