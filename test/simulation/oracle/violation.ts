/** Events that must never happen. */
export type Wrong =
  | "declared object deleted"
  | "foreign object changed"
  | "rules in force empty"
  | "object in no state"
  | "secret printed"
  | "secret plain in state"
  | "ignored change sent"
  | "replacement left out"
  | "not as declared"
  | "preview after up fails"
  | "preview with a refresh fails"
  | "preview after up not clean"
  | "preview after up makes calls"
  | "secret key that nobody holds"
  | "up after crash fails";

/** An event that must never happen, with details. */
export interface Violation {
  readonly wrong: Wrong;
  readonly detail: string;
}
