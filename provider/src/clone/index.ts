export { exportProgram, type ExportedProgram } from "./export-program";
export { ForeignFileError } from "./foreign-file-error";
export { readWorkspace, type ReadProgress } from "./read-workspace";
export {
  CLONE_KINDS,
  select,
  type CloneKind,
  type SelectionOptions,
} from "./selection";
export type { Workspace } from "./workspace";
export { writeProgram, type WrittenProgram } from "./write-program";
