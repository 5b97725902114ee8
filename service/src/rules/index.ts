

export type { Decide } from "./rules-in-force";
export { expressionViolations } from "./expression-violations";
export { rulesInForce } from "./rules-in-force";
export { testRules } from "./test-rules";
