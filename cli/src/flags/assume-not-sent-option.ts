import { canonicalHeaderName } from "@devid/rules/language";
import { InvalidArgumentError, Option } from "commander";

/**
 * `--assume-not-sent`: a header that counts as missing in past events. May be repeated.
 */
export const assumeNotSentOption = (): Option =>
  new Option(
    "--assume-not-sent <header>",
    "no client sends this header, so past events do not have it; may be repeated",
  )
    .argParser((name: string, before: readonly string[]) => {
      const header = canonicalHeaderName(name);
      if (header !== undefined) return [...before, header];
      throw new InvalidArgumentError(
        "It has to be the name of a header, such as Sec-Ch-Ua.",
      );
    })
    .default([], "none");
