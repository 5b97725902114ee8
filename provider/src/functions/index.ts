export type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
export * from "./get-api-keys";
export * from "./get-device-reputation";
export * from "./get-encryption-keys";
export * from "./get-environments";
export * from "./get-event";
export * from "./get-events";
export * from "./get-filtering-rules";
export * from "./get-legacy-event";
export * from "./get-webhooks";
