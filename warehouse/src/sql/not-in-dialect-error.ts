import { DevidError } from "@devid/sdk/errors";
import type { DialectName } from "./dialects/dialect";

/** A part of a rule that a dialect of SQL cannot say exactly. It is never approximated. */
export class NotInDialectError extends DevidError {
  override readonly name = "NotInDialectError";

  constructor(
    /** The name of the rule. */
    readonly rule: string,
    /** The part of the rule's expression, as it is written. */
    readonly part: string,
    readonly dialect: DialectName,
    /** Why the dialect cannot say it. */
    readonly reason: string,
  ) {
    super(
      `Writing rule "${rule}" as SQL for ${dialect} failed: \`${part}\` cannot be said exactly there, because ${reason}. Judge this rule by events of the API or of NDJSON files, or write it otherwise.`,
    );
  }
}
