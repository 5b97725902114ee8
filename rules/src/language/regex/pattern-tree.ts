import type { KindsOf } from "../../children-first";
import { characterOf } from "../text/characters";

/** A part of a pattern in RE2 syntax, and the stretch of the pattern where it stands. */
export type PatternPart = PatternForm & {
  /** Where it begins, in UTF-16 units. */
  readonly from: number;
  /** Behind its last character. */
  readonly to: number;
};

type PatternForm = KindsOf<PatternKinds>;

interface PatternKinds {
  /** What matches one character: a literal, an escape, a class or a dot. */
  one: { source: string; flags: Flags };
  anchor: { anchor: Anchor };
  sequence: { parts: readonly PatternPart[] };
  alternatives: { parts: readonly PatternPart[] };
  /** `opening`: `(`, `(?:`, `(?i:`, `(?P<name>` */
  group: { opening: string; part: PatternPart };
  /** `counts`: `*`, `+`, `?`, `{2,3}`, with `?` behind it if it takes as few as possible. */
  repeat: { part: PatternPart; counts: string };
}

/** The place that an anchor asks for. */
export type Anchor =
  | "start"
  | "end"
  | "line-start"
  | "line-end"
  | "boundary"
  | "no-boundary";

/** Flags that hold for a part. */
export interface Flags {
  /** `(?i)` */
  readonly ignoresCase: boolean;
  /** `(?s)` */
  readonly dotsAreAll: boolean;
  /** `(?m)` */
  readonly isPerLine: boolean;
}

const NO_FLAGS: Flags = {
  ignoresCase: false,
  dotsAreAll: false,
  isPerLine: false,
};

/** Deepest nesting of groups that is read; every depth takes several calls. */
const MAX_DEPTH = 200;

const [CLOSE, START, END] = [/\)/y, /\^/y, /\$/y];
const [QUOTE, END_OF_QUOTE] = [/\\Q/y, /\\E/y];
const CHARACTER = /./suy;
/** No count: behind flags, as in `a(?i){2}`, it repeats what stands in front of them. */
const LITERAL = /(?!\{\d+(?:,\d*)?\})[^*+?)]/suy;
const FLAGS = /\(\?([imsU-]+)\)/y;
const GROUP = /\((?:\?(?:P?<\w+>|([imsU-]*):))?/uy;
const COUNTS = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const ESCAPE = /\\(?:x\{[^}]*\}|x..|[pP]\{[^}]*\}|[pP].|[0-7]{1,3}|.)/suy;
const CLASS =
  /\[\^?(?:\]|\[:\^?\w+:\]|\\(?:x\{[^}]*\}|[pP]\{[^}]*\}|.)|[^\\])(?:\[:\^?\w+:\]|\\(?:x\{[^}]*\}|[pP]\{[^}]*\}|.)|[^\\\]])*\]/suy;

const ANCHORS: Readonly<Record<string, Anchor>> = {
  "\\A": "start",
  "\\z": "end",
  "\\b": "boundary",
  "\\B": "no-boundary",
};

/**
 * Reads a pattern of RE2 that is valid. Undefined for `\C`, for groups that are nested
 * very deeply, and for most mistakes.
 */
export function patternTree(pattern: string): PatternPart | undefined {
  const reader = new PatternReader(pattern);
  try {
    const whole = reader.alternatives(NO_FLAGS, 0);
    return reader.isAtEnd ? whole : undefined;
  } catch (error) {
    if (error === UNREADABLE) return undefined;
    throw error;
  }
}

const UNREADABLE = new Error();

class PatternReader {
  #at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Reads up to a closing bracket or the end. */
  alternatives(outer: Flags, depth: number): PatternPart {
    let flags = outer;
    const from = this.#at;
    let start = from;
    const branches: PatternPart[] = [];
    let parts: PatternPart[] = [];
    const endBranch = () => {
      branches.push({ kind: "sequence", parts, from: start, to: this.#at });
      parts = [];
    };
    while (!this.isAtEnd && this.text[this.#at] !== ")") {
      if (this.text[this.#at] === "|") {
        endBranch();
        start = ++this.#at;
        continue;
      }
      const [, set] = this.#accept(FLAGS) ?? [];
      if (set !== undefined) flags = withFlags(flags, set);
      else if (this.#accept(QUOTE)) parts.push(...this.#quoted(flags));
      else parts.push(this.#repeated(this.#atom(flags, depth)));
    }
    endBranch();
    return { kind: "alternatives", parts: branches, from, to: this.#at };
  }

  /** Reads literal text up to `\E`. A repeat behind it repeats the last character. */
  #quoted(flags: Flags): PatternPart[] {
    const parts: PatternPart[] = [];
    while (!this.isAtEnd && !this.#accept(END_OF_QUOTE)) {
      const from = this.#at;
      const [character = ""] = this.#accept(CHARACTER) ?? [];
      const code = character.codePointAt(0) ?? 0;
      const part = this.#one(`\\x{${code.toString(16)}}`, flags, from);
      const isLast = this.#accept(END_OF_QUOTE) !== undefined || this.isAtEnd;
      parts.push(isLast ? this.#repeated(part) : part);
      if (isLast) break;
    }
    return parts;
  }

  #atom(flags: Flags, depth: number): PatternPart {
    const from = this.#at;
    const anchor = (name: Anchor): PatternPart => ({
      kind: "anchor",
      anchor: name,
      from,
      to: this.#at,
    });
    if (this.#accept(START))
      return anchor(flags.isPerLine ? "line-start" : "start");
    if (this.#accept(END)) return anchor(flags.isPerLine ? "line-end" : "end");
    const [opening, set = ""] = this.#accept(GROUP) ?? [];
    if (opening !== undefined) {
      if (depth >= MAX_DEPTH) throw UNREADABLE;
      const part = this.alternatives(withFlags(flags, set), depth + 1);
      if (!this.#accept(CLOSE)) throw UNREADABLE;
      return { kind: "group", opening, part, from, to: this.#at };
    }
    const [escape] = this.#accept(ESCAPE) ?? [];
    if (escape === "\\C" || escape === "\\E") throw UNREADABLE;
    const found = ANCHORS[escape ?? ""];
    if (found) return anchor(found);
    const [one] =
      escape === undefined
        ? (this.#accept(CLASS) ?? this.#accept(LITERAL) ?? [])
        : [escape];
    if (one === undefined) throw UNREADABLE;
    return this.#one(one, flags, from);
  }

  #one(source: string, flags: Flags, from: number): PatternPart {
    return { kind: "one", source, flags, from, to: this.#at };
  }

  #repeated(atom: PatternPart): PatternPart {
    let part = atom;
    for (;;) {
      const [counts] = this.#accept(COUNTS) ?? [];
      if (counts === undefined) return part;
      part = { kind: "repeat", part, counts, from: atom.from, to: this.#at };
    }
  }

  #accept(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.text) ?? undefined;
    if (found) this.#at = sticky.lastIndex;
    return found;
  }
}

function withFlags(flags: Flags, set: string): Flags {
  const [on = "", off = ""] = set.split("-", 2);
  const of = (letter: string, was: boolean) =>
    (was || on.includes(letter)) && !off.includes(letter);
  return {
    ignoresCase: of("i", flags.ignoresCase),
    dotsAreAll: of("s", flags.dotsAreAll),
    isPerLine: of("m", flags.isPerLine),
  };
}

/**
 * The character of a part for one character; undefined for a class, and for an escape
 * such as `\d` or `\n`.
 */
export function literalOf(source: string): string | undefined {
  const code = /^\\x(?:\{([0-9a-f]+)\}|([0-9a-f]{2}))$/i.exec(source);
  if (code) return characterOf(parseInt(code[1] ?? code[2] ?? "", 16));
  const [first, escaped, ...others] = [...source];
  if (first === "\\" && escaped !== undefined)
    return others.length > 0 || /[A-Za-z0-9]/.test(escaped)
      ? undefined
      : escaped;
  return escaped === undefined && first !== "." ? first : undefined;
}

/** Every part of a pattern, in its order; empty for a pattern that cannot be read. */
export function partsOfPattern(pattern: string): PatternPart[] {
  const partsIn = (part: PatternPart): PatternPart[] => [
    part,
    ...("part" in part ? partsIn(part.part) : []),
    ...("parts" in part ? part.parts.flatMap(partsIn) : []),
  ];
  const tree = patternTree(pattern);
  return tree ? partsIn(tree) : [];
}
