/** What the two rule sets of a diff are called. */
export interface DiffNames {
  readonly before: string;
  readonly after: string;
}
