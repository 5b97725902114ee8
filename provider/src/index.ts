export {
  applyStackSettings,
  type AppliedStackSettings,
} from "./clone/apply-stack-settings";
export * from "./components";
export * from "./adapters/dynamic/classes";
export { Provider, type ProviderArgs } from "./adapters/dynamic/provider";
export * from "./functions";
