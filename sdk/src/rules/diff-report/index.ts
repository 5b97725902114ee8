export { formatDiffMarkdown } from "./format-diff-markdown";
export { formatDiffText } from "./format-diff-text";
