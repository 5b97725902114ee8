export type * from "./api-keys";
export type * from "./encryption-keys";
export type * from "./environments";
export type * from "./filtering-rules";
export type * from "./webhooks";
