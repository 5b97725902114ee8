export * from "./dynamic/classes";
export { Provider, type ProviderArgs } from "./dynamic/provider";
export * from "./functions";
