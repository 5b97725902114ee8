import { readPattern } from "./pattern";

/** A text that a pattern matches anywhere in another text, or only at its start, its end, or both. */
export interface PatternText {
  readonly text: string;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** What a pattern looks for. */
export interface PatternTexts {
  readonly ignoresCase: boolean;
  /** Texts that the pattern matches; in one spelling, if it ignores letter case. */
  readonly texts: readonly PatternText[];
  /** Whether the pattern matches nothing else. */
  readonly isComplete: boolean;
}

/** Most texts of one pattern. */
const MAX_TEXTS = 256;
/** If there are more texts, only so many are continued, as examples. */
const MAX_EXAMPLES = 16;
/** Deepest nesting of groups that is read. */
const MAX_DEPTH = 20;
/** The largest repeat count that is expanded into texts. */
const MAX_REPEATS = 4;
/** Characters that are tried as members of a class. */
const POOL = [..."a1A -_./:b0é\n"];

const EMPTY: PatternText = { text: "", atStart: false, atEnd: false };

/**
 * Reads the texts that a pattern of RE2 matches: plain text, groups, `|`, `?`, small
 * classes and repeats. Any other construct makes the result incomplete, or undefined if
 * not even one text is known.
 */
export function patternTexts(pattern: string): PatternTexts | undefined {
  const ignoresCase = pattern.startsWith("(?i)");
  const reader = new PatternReader(ignoresCase ? pattern.slice(4) : pattern);
  const texts = reader.alternatives(0);
  if (!texts || !reader.isAtEnd) return undefined;
  return { ignoresCase, texts, isComplete: reader.isComplete };
}

class PatternReader {
  isComplete = true;
  #at = 0;
  #most = MAX_TEXTS;
  readonly #characters: readonly string[];

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** Reads alternatives up to a closing bracket or the end. */
  alternatives(depth: number): PatternText[] | undefined {
    const texts: PatternText[] = [];
    do {
      const branch = this.#sequence(depth);
      if (!branch) return undefined;
      texts.push(...branch);
    } while (this.#accept("|"));
    return this.#limited(texts);
  }

  #sequence(depth: number): PatternText[] | undefined {
    let texts = [EMPTY];
    while (!this.isAtEnd && !this.#is("|") && !this.#is(")")) {
      const atom = this.#atom(depth);
      const repeated = atom && this.#repeated(atom);
      if (!repeated) return undefined;
      texts = this.#limited(joined(texts, repeated));
    }
    return texts;
  }

  #atom(depth: number): PatternText[] | undefined {
    if (this.#accept("^")) return [{ ...EMPTY, atStart: true }];
    if (this.#accept("$")) return [{ ...EMPTY, atEnd: true }];
    if (this.#accept("(")) return this.#group(depth);
    if (this.#accept("[")) return this.#oneOf(this.#class());
    if (this.#accept(".")) return this.#oneOf(".");
    if (this.#accept("\\")) return this.#escape();
    const character = this.#take();
    return "*+?{".includes(character)
      ? undefined
      : [{ ...EMPTY, text: character }];
  }

  #group(depth: number): PatternText[] | undefined {
    if (this.#accept("?")) {
      const rest = this.#characters.slice(this.#at, this.#at + 60).join("");
      const head = /^(?:i?:|P?<\w+>)/.exec(rest)?.[0];
      if (head === undefined) return undefined;
      if (head === "i:") this.isComplete = false;
      this.#at += head.length;
    }
    if (depth >= MAX_DEPTH) return undefined;
    const texts = this.alternatives(depth + 1);
    return this.#accept(")") ? texts : undefined;
  }

  /** Reads a class whose opening bracket was read. @returns its source */
  #class(): string {
    let source = "[";
    if (this.#accept("^")) source += "^";
    do {
      if (this.#is("["))
        while (!this.isAtEnd && !this.#is("]")) source += this.#take();
      else if (this.#is("\\")) source += this.#take();
      source += this.#take();
    } while (!this.isAtEnd && !this.#is("]"));
    this.#accept("]");
    return `${source}]`;
  }

  #escape(): PatternText[] | undefined {
    const character = this.#take();
    if (/^[dDsSwW]$/.test(character)) return this.#oneOf(`\\${character}`);
    if (/^[bB]$/.test(character)) {
      this.isComplete = false;
      return [EMPTY];
    }
    return /^[A-Za-z0-9]$/.test(character)
      ? undefined
      : [{ ...EMPTY, text: character }];
  }

  /** The characters of a class: all of a plain list, otherwise some of the pool. */
  #oneOf(source: string): PatternText[] | undefined {
    const members = membersOf(source);
    if (members) return members.map((text) => ({ ...EMPTY, text }));
    this.isComplete = false;
    const read = readPattern(`^(?:${source})$`);
    if ("mistake" in read) return undefined;
    const found = [...POOL, ...source].filter((one) => read.test(one));
    return found.length === 0
      ? undefined
      : found.slice(0, 2).map((text) => ({ ...EMPTY, text }));
  }

  #repeated(atom: PatternText[]): PatternText[] | undefined {
    const [least, most] = this.#repeats() ?? [1, 1];
    this.#accept("?");
    if (most > MAX_REPEATS) this.isComplete = false;
    const last = Math.max(least, Math.min(most, least + 1, MAX_REPEATS));
    if (last < most) this.isComplete = false;
    let texts = [EMPTY];
    const results: PatternText[] = [];
    for (let count = 0; count <= last; count++) {
      if (count >= least) results.push(...texts);
      if (count < last) texts = this.#limited(joined(texts, atom));
    }
    return this.#limited(results);
  }

  #repeats(): [least: number, most: number] | undefined {
    if (this.#accept("?")) return [0, 1];
    if (this.#accept("*")) return [0, Infinity];
    if (this.#accept("+")) return [1, Infinity];
    const rest = this.#characters.slice(this.#at, this.#at + 12).join("");
    const counts = /^\{(\d+)(,?)(\d*)\}/.exec(rest);
    if (!counts) return undefined;
    this.#at += counts[0].length;
    const least = Number(counts[1]);
    if (!counts[2]) return [least, least];
    return [least, counts[3] ? Number(counts[3]) : Infinity];
  }

  #limited(texts: PatternText[]): PatternText[] {
    if (texts.length <= this.#most) return texts;
    this.isComplete = false;
    this.#most = MAX_EXAMPLES;
    return texts.slice(0, MAX_EXAMPLES);
  }

  #is(character: string): boolean {
    return this.#characters[this.#at] === character;
  }

  #accept(character: string): boolean {
    if (!this.#is(character)) return false;
    this.#at++;
    return true;
  }

  #take(): string {
    return this.#characters[this.#at++] ?? "";
  }
}

/** Most characters of a class that are all listed. */
const MAX_MEMBERS = 16;

/** All characters of a class of a few, such as `[1-9]`, `[abc]` or `\\d`; undefined for any other. */
function membersOf(source: string): string[] | undefined {
  const [, list] =
    /^\[((?:[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z]|[^\\^[\]-])+)\]$/u.exec(
      source === "\\d" ? "[0-9]" : source,
    ) ?? [];
  const members = new Set<string>();
  for (const [part] of list?.matchAll(/.-.|./gsu) ?? []) {
    const characters = [...part];
    const first = characters[0]?.codePointAt(0) ?? 0;
    const last = characters.at(-1)?.codePointAt(0) ?? 0;
    for (let code = first; code <= last; code++)
      members.add(String.fromCodePoint(code));
  }
  return members.size > 0 && members.size <= MAX_MEMBERS
    ? [...members]
    : undefined;
}

/** Every text of one list followed by every text of another. */
function joined(
  heads: readonly PatternText[],
  tails: readonly PatternText[],
): PatternText[] {
  return heads.flatMap((head) =>
    tails
      .filter(
        (tail) =>
          !(tail.atStart && head.text !== "") &&
          !(head.atEnd && tail.text !== ""),
      )
      .map((tail) => ({
        text: head.text + tail.text,
        atStart: head.atStart || tail.atStart,
        atEnd: head.atEnd || tail.atEnd,
      })),
  );
}
