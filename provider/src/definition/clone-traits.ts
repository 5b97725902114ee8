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

/** A section of an export's report about data that copies of certain objects lack. */
export interface ReportSection<O> {
  readonly heading: string;
  /** The missing data, and what to do: one paragraph of Markdown. */
  readonly text: string;
  /** Whether the section lists this object; absent: it lists all objects of the kind. */
  concerns?(outputs: O): boolean;
}

/**
 * Facts about a kind for the export and the comparison of a workspace. Every member has
 * a default that suits most kinds.
 */
export interface CloneTraits<O> {
  /** The comment in the first line of its file. Default: "The API keys." */
  readonly about?: string;
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
  /**
   * Who uses the object's token or key, and needs the new token of a copy: `the servers
   * that use it`. Default: `whoever uses it`.
   */
  neededBy?(outputs: O): string;
  /** Sections about data that a copy lacks besides its tokens and keys. */
  readonly notCopied?: readonly ReportSection<O>[];
}
