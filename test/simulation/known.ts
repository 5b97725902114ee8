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
    story: "an imported key is adopted under a second name, which is removed",
    wrong: "declared object deleted",
    excuses: ({ wrong }) => wrong === "declared object deleted",
  },
  {
    story:
      "an environment is destroyed with its contents while a protected key is declared in it",
    wrong: "declared object deleted",
  },
  {
    story: "two encryption keys of one environment are declared at once",
    wrong: "preview after up fails",
    excuses: ({ wrong, detail }) =>
      wrong === "preview after up fails" &&
      detail.includes("in the state of two resources"),
  },
  {
    story: "a key is to be deleted with its environment",
    wrong: "object in no state",
  },
  {
    story: "a change of the first rule's expression is ignored",
    wrong: "ignored change sent",
    excuses: ({ wrong }) => wrong === "ignored change sent",
  },
  {
    story: "a change of the first rule's expression is to replace the rule set",
    wrong: "replacement left out",
    excuses: ({ wrong }) => wrong === "replacement left out",
  },
  {
    story: "the answer to the creation of a secret key is lost",
    wrong: "object in no state",
    excuses: ({ wrong }) => wrong === "object in no state",
  },
  {
    story: "an adopted key is renamed while the service does not list keys",
    wrong: "declared object deleted",
  },
  {
    story:
      "a destroy with a refresh follows after somebody switched an encryption key",
    wrong: "foreign object changed",
    excuses: ({ wrong, detail }) =>
      wrong === "foreign object changed" &&
      detail.endsWith("undoes what somebody set by hand"),
  },
  {
    story: "a webhook with a secret address has a twin",
    wrong: "secret printed",
    excuses: ({ wrong }) => wrong === "secret printed",
  },
  {
    story: "a secret key is renamed without an alias, and adopts itself",
    wrong: "secret key that nobody holds",
    excuses: ({ wrong }) => wrong === "secret key that nobody holds",
  },
  { story: "everything is made", wrong: "object in no state" },
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
