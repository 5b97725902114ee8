export type { Decide } from "./compile-readable";
export { expressionViolations } from "./expression-violations";
export { rulesInForce } from "./rules-in-force";
export { testRules } from "./test-rules";
