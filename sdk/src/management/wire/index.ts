export * from "../../secret-mark";
export * from "./api-key";
export * from "./encryption-key";
export * from "./envelope";
export * from "./environment";
export * from "./filtering-rule";
export * from "./status";
export * from "./webhook";
