import type { Rule } from "@devid/rules";

/** Why a program cannot declare an object that the workspace has. */
export interface Obstacle {
  /** The end of a sentence. */
  readonly reason: string;
  /** What such an object is called instead of the kind's `singular`: `legacy webhook`. */
  readonly what?: string;
  /** What to do about all such objects: a paragraph of the export's report, Markdown. */
  readonly advice?: string;
}

/** A section of an export's report: something that a copy of certain objects lacks. */
export interface ReportSection<O> {
  readonly heading: string;
  /** What is lacking, and what to do about it: one paragraph of Markdown. */
  readonly text: string;
  /** Whether the section lists this object; absent: it lists all objects of the kind. */
  concerns?(outputs: O): boolean;
  /** A text that follows the object's name in the list. */
  remark?(outputs: O): string;
}

/**
 * What the export and the comparison of a workspace must know of a kind besides
 * its schemas. Every member has a default, which suits most kinds.
 */
export interface CloneTraits<O> {
  /** The comment in the first line of its file. Default: "The API keys." */
  readonly about?: string;
  /**
   * Set where each environment has exactly one such object, which gets its name from
   * its environment. The word is appended where code cannot use the environment's
   * name alone: `key` for `defaultKey`.
   */
  readonly onePerEnvironment?: string;
  /** Whether an object without an environment is in the default one. Default: it is in none. */
  inDefaultEnvironment?(outputs: O): boolean;
  /** Why a program cannot declare an object; `all` are the objects of its kind. */
  obstacle?(outputs: O, all: readonly O[]): Obstacle | undefined;
  /** The filtering rules of an object, which are exported as a rule file and compared by their meaning. */
  readonly ruleFile?: {
    /** The program's argument that takes the file's path. */
    readonly argument: string;
    rules(outputs: O): readonly Rule[];
    /** Rules that got another name in the file, because the service has several rules of their name. */
    renamed(
      outputs: O,
    ): readonly { readonly name: string; readonly id: string }[];
  };
  /** Who uses the object's token or key, and needs the one of a copy: `the servers that use it`. Default: `whoever uses it`. */
  neededBy?(outputs: O): string;
  /**
   * Outputs that only a state has, for a recovered state: those that follow from the
   * declared inputs and from the IDs of all objects of the kind.
   */
  recovered?(declared: O, ids: ReadonlySet<string>): O;
  /** What a copy lacks. Default: a section about the secret outputs. */
  readonly notCopied?: readonly ReportSection<O>[];
}
