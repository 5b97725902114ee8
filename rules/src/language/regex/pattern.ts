import { keepingResults } from "../../keeping-results";
import type * as re2 from "re2js";
import { nativePattern } from "./native-pattern";

/**
 * Loaded when a pattern needs it. It is a third of the code of the language, and few
 * expressions use it.
 */
const re2js = () =>
  // oxlint-disable-next-line typescript/no-require-imports -- a pattern is compiled at once
  require("re2js") as typeof re2;

/** Longest pattern of `matches`, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 10_000;

/** Most instructions that a pattern of `matches` may compile to. */
const MAX_PATTERN_SIZE = 20_000;

/** A compiled pattern, or the reason why it is not valid. */
export type ReadPattern =
  | {
      readonly test: (text: string) => boolean;
      /** Most steps of a test for each character of a text. A step of the solver is about 0.1 microseconds. */
      readonly cost: number;
    }
  | { readonly mistake: string };

/** Comparisons of characters of a native pattern in one step. */
const COMPARISONS_PER_STEP = 100;
/** States of an automaton that are followed in one step. */
const STATES_PER_STEP = 10;

/**
 * Compiles a pattern of `matches`, in RE2 syntax as in Go. The pattern may match
 * anywhere in a text, and takes time linear in the length of the text. The length
 * of the pattern and its compiled size are limited.
 */
export const readPattern = keepingResults(5_000, compile);

function compile(source: string): ReadPattern {
  if (source.length > MAX_PATTERN_LENGTH)
    return {
      mistake: `a pattern has at most ${MAX_PATTERN_LENGTH} characters`,
    };
  const native = nativePattern(source);
  if (native) {
    const { regex, steps } = native;
    return {
      test: (text) => regex.test(text),
      cost: steps / COMPARISONS_PER_STEP,
    };
  }
  try {
    const compiled = re2js().RE2JS.compile(source);
    const size = compiled.programSize();
    if (size > MAX_PATTERN_SIZE)
      return {
        mistake: "this pattern is too large with its repeats expanded",
      };
    return {
      test: (text) => compiled.test(text),
      cost: size / STATES_PER_STEP,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /`\(\?<?[!=]/.test(reason)
      ? "; RE2 does not look ahead or behind: write a condition of its own, with matches or not matches"
      : "";
    return { mistake: `this pattern is not valid: ${reason}${hint}` };
  }
}

/** A pattern that looks for a text. */
export const escaped = (text: string) =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
