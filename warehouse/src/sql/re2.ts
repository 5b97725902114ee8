import { partsOfPattern, type PatternPart } from "@devid/rules/internals";

/**
 * Whether every RE2 matches a pattern of the language in the same texts. RE2 and re2js,
 * which the evaluator runs, may be of different versions of Unicode.
 */
export function isSameInEveryRe2(pattern: string): boolean {
  // A quote that is not closed would also take what a query puts behind the pattern.
  const parts = pattern.includes("\\Q") ? [] : partsOfPattern(pattern);
  return parts.length > 0 && parts.every(isSame);
}

function isSame(part: PatternPart): boolean {
  switch (part.kind) {
    case "one":
      return !(
        OF_UNICODE.test(part.source) ||
        (part.flags.ignoresCase && BEYOND_ASCII.test(part.source))
      );
    case "anchor":
      // C++ reads bytes, so it finds `\B` between the bytes of one character.
      return part.anchor !== "no-boundary";
    case "group":
      // Not every version has names without `P`.
      return !part.opening.startsWith("(?<");
    default:
      return true;
  }
}

/** Classes of Unicode, half a surrogate pair, and control characters, which not every client of RE2 takes. */
// oxlint-disable-next-line no-control-regex -- they are what is found
const OF_UNICODE = /\\[pP]|\\x\{0*d[89a-f]|\p{Cs}|[\0-\x1f\x7f]/iu;
const BEYOND_ASCII =
  /[^\0-\x7f]|\\x\{0*[1-9a-f][0-9a-f]{2}|\\x\{0*[89a-f][0-9a-f]\}|\\x[89a-f]/i;
