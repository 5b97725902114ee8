import type { Dialect } from "./dialects/dialect";
import { lower, upper } from "@devid/rules/internals";

const MAPS = { lower: mapOf(lower), upper: mapOf(upper) };

/** The characters that a function changes, and what each becomes. */
function mapOf(apply: (text: string) => string) {
  let made: { readonly from: string; readonly to: string } | undefined;
  return () => {
    if (made) return made;
    let [from, to] = ["", ""];
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const changed = apply(character);
      if (changed === character) continue;
      from += character;
      to += changed;
    }
    made = { from, to };
    return made;
  };
}

/**
 * A text in lower or upper case, as the language defines it: each character becomes
 * exactly one character. No engine does this, so every character beyond ASCII is
 * written out.
 */
export function inLetterCase(
  dialect: Dialect,
  text: string,
  to: "lower" | "upper",
): string {
  const map = MAPS[to]();
  return `CASE WHEN ${dialect.isAscii(text)} THEN ${dialect.asciiCase(text, to)} ELSE ${dialect.translate(text, map.from, map.to)} END`;
}
