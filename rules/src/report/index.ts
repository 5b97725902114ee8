export { codeSpan } from "./code-span";
export { countChanges } from "./describe-change";
export { describeEffect, type EffectPhrase } from "./describe-effect";
export { formatDiffMarkdown } from "./format-diff-markdown";
export { formatDiffText } from "./format-diff-text";
export { formatSteps, type StepFormat } from "./format-steps";
export { visibleText } from "./visible-text";
export { wrap } from "./wrap";
