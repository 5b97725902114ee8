import { DevidError } from "@devid/sdk/errors";
import type { Stretch } from "../language/syntax/problem";

/** A mistake in a rule file and its place, both from 1; the column counts characters. */
export interface RuleFileProblem extends Stretch {
  readonly message: string;
  /** Name of the rule with the mistake in its expression; absent for a mistake of the file. */
  readonly rule?: string;
}

/** What is wrong, with the rule that it is about, without the place. */
export const problemText = ({ rule, message }: RuleFileProblem): string =>
  rule === undefined ? message : `rule "${rule}": ${message}`;

/** A rule file cannot be read; every problem is listed as `file:line:column`. */
export class RuleFileError extends DevidError {
  override readonly name = "RuleFileError";

  constructor(
    readonly path: string,
    readonly problems: readonly RuleFileProblem[],
  ) {
    super(
      `The rule file is not valid:` +
        problems
          .map((p) => `\n  ${path}:${p.line}:${p.column} ${problemText(p)}`)
          .join(""),
    );
  }
}
