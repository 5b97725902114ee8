import type { Rule } from "@devid/rules";

/** Why no program can declare an object, though the workspace has it. */
export interface Obstacle {
  /** The end of a sentence. */
  readonly reason: string;
  /** What such an object is called, where that is not the kind's `singular`: `legacy webhook`. */
  readonly what?: string;
  /** What to do about all of them: Markdown, a paragraph of the export's report. */
  readonly advice?: string;
}

/** A part of an export's report: what a copy of some objects will not have. */
export interface ReportSection<O> {
  readonly heading: string;
  /** What it is, and what to do about it: Markdown, one paragraph. */
  readonly text: string;
  /** Whether it is about this object; about all of the kind where absent. */
  concerns?(outputs: O): boolean;
  /** What else is said of an object, behind its name. */
  remark?(outputs: O): string;
}

/**
 * What exporting and comparing a workspace has to know of a kind beside its
 * schemas. A kind needs none of it: what is left out here is derived.
 */
export interface CloneTraits<O> {
  /** What the first line of its file says. Absent: "The API keys." */
  readonly about?: string;
  /**
   * Set where an environment has one such object, which goes by the
   * environment's name: the word that stands behind it where code cannot use
   * the name alone, `key` for `defaultKey`.
   */
  readonly onePerEnvironment?: string;
  /** Whether an object is in the default environment if its program names none. Absent: it is in none. */
  inDefaultEnvironment?(outputs: O): boolean;
  /** Why no program can declare an object; `all` are those of its kind. */
  obstacle?(outputs: O, all: readonly O[]): Obstacle | undefined;
  /** The filtering rules that an object holds: exported as a rule file, and compared by what they mean. */
  readonly ruleFile?: {
    /** The argument of programs that takes the file's path. */
    readonly argument: string;
    rules(outputs: O): readonly Rule[];
    /** Rules that have another name there than in the service, for the service has several of that name. */
    renamed(
      outputs: O,
    ): readonly { readonly name: string; readonly id: string }[];
  };
  /** What a copy will not have. Absent: the secret outputs. */
  readonly notCopied?: readonly ReportSection<O>[];
}
