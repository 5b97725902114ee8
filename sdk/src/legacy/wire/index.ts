export * from "./error-codes";
export * from "./legacy-event";
export * from "./legacy-parameters";
export * from "./legacy-update";
export * from "./legacy-visitor-answer";
