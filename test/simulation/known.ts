import type { Form } from "./forms";
import type { Violation, Wrong } from "./oracle";

/** A fault that stories find, and that is not mended yet. */
export interface Known {
  /** The story of `REGRESSIONS` or `CRASH_STORIES` that shows it. */
  readonly story: string;
  readonly forms?: readonly Form[];
  readonly wrong: Wrong;
  /** Whether what a random story finds may be this fault. */
  excuses?(violation: Violation): boolean;
}

/**
 * The faults that stand. A story in this table has to fail: who mends its cause is told
 * to take it out.
 */
export const KNOWN: readonly Known[] = [
  {
    story: "a key is to be deleted with its environment",
    wrong: "object in no state",
  },
  {
    story: "a change of the first rule's expression is ignored",
    // Only the class of a dynamic resource sees the option; it refuses it.
    forms: ["dynamic"],
    wrong: "ignored change sent",
    excuses: ({ wrong }) => wrong === "ignored change sent",
  },
  {
    story: "a change of the first rule's expression is to replace the rule set",
    wrong: "replacement left out",
    excuses: ({ wrong }) => wrong === "replacement left out",
  },
  {
    story: "a secret key is renamed without an alias, and adopts itself",
    wrong: "secret key that nobody holds",
    excuses: ({ wrong }) => wrong === "secret key that nobody holds",
  },
  {
    story: "everything is made",
    wrong: "object in no state",
    // What random stories find is still to be looked at.
    excuses: ({ wrong }) =>
      wrong === "object in no state" ||
      wrong === "declared object deleted" ||
      wrong === "preview after up fails" ||
      wrong === "foreign object changed",
  },
  { story: "everything is made", wrong: "up after crash fails" },
  {
    story: "a key with a status of its own is made",
    wrong: "object in no state",
  },
  {
    story: "an adopted key is renamed without an alias",
    wrong: "up after crash fails",
  },
];

/** The known faults of a story in a form. */
export const knownOf = (story: string, form: Form): readonly Wrong[] =>
  KNOWN.filter(
    (one) => one.story === story && (one.forms?.includes(form) ?? true),
  ).map(({ wrong }) => wrong);
