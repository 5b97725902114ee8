export {
  applyStackSettings,
  type AppliedStackSettings,
} from "./clone/apply-stack-settings";
export * from "./components";
export * from "./dynamic/classes";
export { Provider, type ProviderArgs } from "./dynamic/provider";
export * from "./functions";
