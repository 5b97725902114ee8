export {
  compareWorkspaces,
  type ComparedSide,
} from "./compare/compare-workspaces";
export { isSame, type Comparison } from "./compare/comparison";
export { EnvironmentChoiceError } from "./read/environment-choice-error";
export { exportProgram, type ExportedProgram } from "./write/export-program";
export { ForeignFileError } from "./write/foreign-file-error";
export { formatComparisonMarkdown } from "./compare/format-comparison-markdown";
export { formatComparisonText } from "./compare/format-comparison-text";
export { readExport, type ReadExport } from "./write/read-export";
export { readWorkspace, type ReadProgress } from "./read/read-workspace";
export {
  CLONE_KINDS,
  select,
  type CloneKind,
  type Selection,
  type SelectionOptions,
} from "./read/selection";
export type { Workspace } from "./read/workspace";
export { writeProgram, type WrittenProgram } from "./write/write-program";
