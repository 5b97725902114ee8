// The resources and data sources of the package over the provider plugin: what
// `@devid/pulumi` has, under the same names.
import {
  RotatingApiKey as DynamicRotatingApiKey,
  type RotatingApiKeyArgs,
} from "./components/rotating-api-key";
import { ApiKey } from "./adapters/plugin-program/classes";

export type { DeepInput } from "./adapters/dynamic/program/ask-function";
export type {
  FunctionOptions,
  FunctionOutputOptions,
} from "./adapters/plugin-program/ask-plugin";
export * from "./adapters/plugin-program/classes";
export * from "./adapters/plugin-program/enums";
export * from "./adapters/plugin-program/functions";
export { Provider } from "./adapters/plugin-program/provider";
export {
  ifKnown,
  knownOutputs,
} from "./adapters/dynamic/program/require-outputs";
export type { ProviderArgs } from "./adapters/dynamic/program/provider-args";
export type { RotatingApiKeyArgs };

/** API keys of the plugin that replace each other while at least one of them is always accepted. */
export class RotatingApiKey extends DynamicRotatingApiKey {
  protected override makeKey(
    ...[name, args, opts]: ConstructorParameters<typeof ApiKey>
  ): ApiKey {
    return new ApiKey(name, args, opts);
  }
}
