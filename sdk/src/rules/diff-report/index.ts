export { codeSpan } from "./code-span";
export { formatDiffMarkdown } from "./format-diff-markdown";
export { formatDiffText } from "./format-diff-text";
export { visibleText } from "./visible-text";
