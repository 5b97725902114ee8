export { compareWorkspaces, type ComparedSide } from "./compare-workspaces";
export { isSame, type Comparison } from "./comparison";
export { EnvironmentChoiceError } from "./environment-choice-error";
export { exportProgram, type ExportedProgram } from "./export-program";
export { ForeignFileError } from "./foreign-file-error";
export { formatComparisonMarkdown } from "./format-comparison-markdown";
export { formatComparisonText } from "./format-comparison-text";
export { readExport, type ReadExport } from "./read-export";
export { readWorkspace, type ReadProgress } from "./read-workspace";
export {
  CLONE_KINDS,
  select,
  type CloneKind,
  type Selection,
  type SelectionOptions,
} from "./selection";
export type { Workspace } from "./workspace";
export { writeProgram, type WrittenProgram } from "./write-program";
