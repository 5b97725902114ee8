// The resources and data sources of the package over the provider plugin: what
// `@devid/pulumi` has, under the same names.
import {
  RotatingApiKey as DynamicRotatingApiKey,
  type RotatingApiKeyArgs,
} from "./components/rotating-api-key";
import { ApiKey } from "./program/plugin/classes";

export type { DeepInput } from "./program/functions/ask-function";
export type {
  FunctionOptions,
  FunctionOutputOptions,
} from "./program/plugin/ask-plugin";
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
