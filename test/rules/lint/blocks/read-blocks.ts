import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A rule set that is a mistake, or that looks like one. */
export interface Block {
  readonly what: string;
  /** Codes of the findings that it has to have, or may have. */
  readonly codes: readonly string[];
  /** In the form that `rulesOf` reads. */
  readonly rules: readonly string[];
}

/**
 * The rule sets of a file: a line with what it is and perhaps with codes, then a line
 * for each rule. `\u{200b}` stands for a character that cannot be seen.
 */
export function readBlocks(name: string): Block[] {
  return readFileSync(join(__dirname, `${name}.txt`), "utf8")
    .trim()
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .split("\n\n")
    .map((block) => {
      const [head = "", ...rules] = block.split("\n");
      const [, what = head, codes = ""] =
        /^(.*): ([a-z-]+(?: [a-z-]+)*)$/.exec(head) ?? [];
      return {
        what,
        codes: codes === "" ? [] : codes.split(" "),
        rules: rules.map((rule) => rule.slice(2)),
      };
    });
}
