export * from "./drn-answer";
export * from "./error-codes";
