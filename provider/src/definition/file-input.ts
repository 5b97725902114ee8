/**
 * A file that a program gives in place of an input. A check reads the file, so that
 * states and previews show its content.
 */
export interface FileInput<Name extends string = string> {
  /** The name of the argument in programs. */
  readonly name: string;
  readonly description: string;
  readonly inPlaceOf: Name;
  /** The function of `program/rules-from-file` that reads it in a TypeScript program. */
  readonly expand: string;
  /** @throws RefusedFileError, or Node's error, for a path that cannot be read */
  read(path: string): FileContent;
}

/** What a file holds, or what is wrong with it. */
export type FileContent =
  | { readonly value: unknown }
  | { readonly mistakes: readonly FileMistake[] };

/** A mistake in a file; line and column count from 1. */
export interface FileMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
