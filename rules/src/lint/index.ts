export type { Lint, Severity } from "./lint";
export { lintRules, lintSet, type LintFinding } from "./lint-rules";
export { LintedSet, type LintOptions } from "./linted-set";
export { LINTS } from "./lints";
