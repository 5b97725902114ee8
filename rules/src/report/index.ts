export { codeSpan } from "./code-span";
export { countChanges } from "./describe-change";
export { describeEffect, type EffectPhrase } from "./describe-effect";
export type { DiffNames } from "./diff-names";
export { formatDiffMarkdown } from "./format-diff-markdown";
export { formatDiffText } from "./format-diff-text";
export { formatSteps, type StepFormat } from "./format-steps";
export { hideKeys, KEY_PATTERN, withoutKeys, type Redact } from "./hide-keys";
export { visibleText } from "./visible-text";
