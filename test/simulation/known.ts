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
    // Rules have no mark of who made them: those whose checkpoint the crash prevented
    // look like somebody else's, and the next update leaves them until `takeOver`.
    story: "everything is made",
    wrong: "up after crash fails",
    // What random stories find is still to be looked at.
    excuses: ({ wrong }) =>
      wrong === "object in no state" ||
      wrong === "preview after up fails" ||
      wrong === "foreign object changed",
  },
  {
    // A destroy shows the provider one state and no program: it cannot tell that a
    // resource has what this state names.
    story: "a protected key is named in the deleteContents of its environment",
    wrong: "declared object deleted",
    excuses: ({ wrong }) => wrong === "declared object deleted",
  },
];

/** The known faults of a story in a form. */
export const knownOf = (story: string, form: Form): readonly Wrong[] =>
  KNOWN.filter(
    (one) => one.story === story && (one.forms?.includes(form) ?? true),
  ).map(({ wrong }) => wrong);
