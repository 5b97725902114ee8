export {
  applyStackSettings,
  type AppliedStackSettings,
} from "./clone/apply-stack-settings";
export * from "./components";
export * from "./adapters/dynamic/classes";
export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./adapters/dynamic/function-options";
export * from "./adapters/dynamic/functions";
export { Provider } from "./adapters/dynamic/provider";
export type { ProviderArgs } from "./adapters/dynamic/provider-args";
export { LookupError } from "./definition/find-one";
