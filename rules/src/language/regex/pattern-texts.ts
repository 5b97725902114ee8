import { keepingResults } from "../../keeping-results";
import { readPattern } from "./pattern";
import { literalOf, patternTree, type PatternPart } from "./pattern-tree";

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

const MAX_TEXTS = 256;
/** If there are more texts, only so many are continued, as examples. */
const MAX_EXAMPLES = 16;
/** Deepest nesting of groups that is read. */
const MAX_DEPTH = 20;
const MAX_REPEATS = 4;
/** Characters that are tried as members of a class. */
const POOL = [..."a1A -_./:b0é\n"];

const EMPTY: PatternText = { text: "", atStart: false, atEnd: false };

/**
 * Reads the texts that a pattern of RE2 matches: plain text, groups, `|`, `?`, small
 * classes and repeats. Any other construct makes the result incomplete, or undefined if
 * not even one text is known.
 */
export const patternTexts = keepingResults(5_000, textsOf);

function textsOf(pattern: string): PatternTexts | undefined {
  const tree = patternTree(pattern);
  const reader = new TextReader();
  const texts = tree && reader.of(tree);
  if (!texts) return undefined;
  const { cases, isComplete } = reader;
  // Some parts ignore letter case, and some do not.
  const isMixed = cases.size > 1;
  return {
    ignoresCase: cases.has(true),
    texts,
    isComplete: isComplete && !isMixed,
  };
}

class TextReader {
  isComplete = true;
  /** Whether letter case is ignored, for each part. */
  readonly cases = new Set<boolean>();
  #most = MAX_TEXTS;
  #depth = 0;

  of(part: PatternPart): PatternText[] | undefined {
    switch (part.kind) {
      case "alternatives": {
        const branches = part.parts.map((one) => this.of(one));
        return branches.includes(undefined)
          ? undefined
          : this.#limited(branches.flatMap((texts) => texts ?? []));
      }
      case "sequence": {
        let texts: PatternText[] | undefined = [EMPTY];
        for (const one of part.parts) {
          const next = this.of(one);
          if (!next) return undefined;
          texts = this.#limited(joined(texts, next));
        }
        return texts;
      }
      case "group": {
        if (this.#depth >= MAX_DEPTH) return undefined;
        this.#depth++;
        const texts = this.of(part.part);
        this.#depth--;
        return texts;
      }
      case "anchor":
        if (part.anchor === "start") return [{ ...EMPTY, atStart: true }];
        if (part.anchor === "end") return [{ ...EMPTY, atEnd: true }];
        this.isComplete = false;
        return [EMPTY];
      case "repeat": {
        const atom = this.of(part.part);
        return atom && this.#repeated(atom, countsOf(part.counts));
      }
      case "one":
        this.cases.add(part.flags.ignoresCase);
        return this.#oneOf(part.source, part.flags.dotsAreAll);
    }
  }

  /** The characters of a class: all of a plain list, otherwise some of the pool. */
  #oneOf(source: string, dotsAreAll: boolean): PatternText[] | undefined {
    const members = membersOf(source);
    if (members) return members.map((text) => ({ ...EMPTY, text }));
    this.isComplete = false;
    const read = readPattern(`^(?${dotsAreAll ? "s" : ""}:${source})$`);
    if ("mistake" in read) return undefined;
    const found = [...POOL, ...source].filter((one) => read.test(one));
    return found.length === 0
      ? undefined
      : found.slice(0, 2).map((text) => ({ ...EMPTY, text }));
  }

  #repeated(
    atom: readonly PatternText[],
    [least, most]: readonly [number, number],
  ): PatternText[] {
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

  #limited(texts: PatternText[]): PatternText[] {
    if (texts.length <= this.#most) return texts;
    this.isComplete = false;
    this.#most = MAX_EXAMPLES;
    return texts.slice(0, MAX_EXAMPLES);
  }
}

/** The fewest and the most times that a repeat stands for. */
function countsOf(counts: string): readonly [least: number, most: number] {
  if (counts.startsWith("?")) return [0, 1];
  if (counts.startsWith("*")) return [0, Infinity];
  if (counts.startsWith("+")) return [1, Infinity];
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)/.exec(counts) ?? [];
  if (!comma) return [Number(least), Number(least)];
  return [Number(least), most ? Number(most) : Infinity];
}

const MAX_MEMBERS = 16;

/**
 * All characters that a part for one character matches, for a literal or a small class
 * such as `[1-9]`, `[abc]` or `\\d`; otherwise undefined.
 */
function membersOf(source: string): string[] | undefined {
  const literal = literalOf(source);
  if (literal !== undefined) return [literal];
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
  // Numbers in user agents and versions do not begin with 0.
  if (members.delete("0")) members.add("0");
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
