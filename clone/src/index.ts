export {
  compareWorkspaces,
  type ComparedSide,
} from "./compare/compare-workspaces";
export {
  formatComparison,
  isSame,
  type Comparison,
} from "./compare/comparison";
export { driftCount, type Drift } from "./drift/drift";
export { DriftError, findDrift, StackDeployment } from "./drift/find-drift";
export { formatDrift, formatFailedDrift } from "./drift/drift-report";
export { CLONE_KINDS, type CloneKind } from "./read/clone-kinds";
export { readWorkspace, type ReadProgress } from "./read/read-workspace";
export {
  assertChoices,
  EnvironmentChoiceError,
  ObjectChoiceError,
  select,
  type Selection,
  type SelectionOptions,
} from "./read/selection";
export type { UnreadKind, Workspace, WorkspaceObject } from "./read/workspace";
export { exportProgram, type ExportedProgram } from "./write/export-program";
export { IndirectPathError, readManifest } from "./write/export-manifest";
export { OtherPartError } from "./write/exported-part";
export {
  NoExportError,
  readExport,
  type ReadExport,
} from "./write/read-export";
export {
  ForeignFileError,
  LostResourceError,
  writeProgram,
  type WrittenProgram,
} from "./write/write-program";
