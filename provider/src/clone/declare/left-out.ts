/** An object of the workspace that the written program does not declare. */
export interface LeftOut {
  /** What it is, in words: `API key`. */
  readonly what: string;
  readonly id: string;
  readonly name: string;
  /** Why, as the end of a sentence. */
  readonly reason: string;
}
