import type * as re2 from "re2js";
import {
  patternTree,
  type Anchor,
  type Flags,
  type PatternPart,
} from "@devid/rules/internals";
import type { Dialect } from "./dialects/dialect";

/** A pattern cannot be written so that an engine reads it as the language does. */
export class ForeignPatternError extends Error {
  override readonly name = "ForeignPatternError";
}

/**
 * Longest pattern that is written, in characters. Classes of Unicode become long when
 * they are written out, and engines limit the size of a compiled pattern.
 */
const MAX_LENGTH = 40_000;

/**
 * Writes a pattern of the language in the subset of regular expressions that RE2, RE2/J
 * and Joni read alike: characters, classes of ranges, groups, alternatives, repeats,
 * and the start and the end of the text. Flags, letter case, named classes and names of
 * groups are written out, because the engines differ in them. The members of classes
 * are read from what re2js compiles, which is what the evaluator runs.
 * @throws ForeignPatternError
 */
export function patternSql(dialect: Dialect, pattern: string): string {
  const written = new PatternWriter(dialect).write(pattern);
  if (written.length > MAX_LENGTH)
    throw new ForeignPatternError(
      `the pattern has ${written.length.toLocaleString("en")} characters once its classes are written out`,
    );
  return written;
}

type Ranges = readonly (readonly [first: number, last: number])[];

type SqlPart =
  | { readonly kind: "class"; readonly ranges: Ranges }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "sequence" | "alternatives"; readonly parts: SqlPart[] }
  | {
      readonly kind: "repeat";
      readonly part: SqlPart;
      readonly counts: string;
    };

const HIGHEST = 0x10ffff;

/** A part of a pattern, without its groups. */
function partOf(tree: PatternPart): SqlPart {
  switch (tree.kind) {
    case "one":
      return { kind: "class", ranges: rangesOf(tree.source, tree.flags) };
    case "anchor":
      return anchor(tree.anchor);
    case "group":
      return partOf(tree.part);
    case "repeat": {
      const [counts = ""] = /^(?:[*+?]|\{[^}]*\})/.exec(tree.counts) ?? [];
      return { kind: "repeat", part: partOf(tree.part), counts };
    }
    default:
      return { kind: tree.kind, parts: tree.parts.map(partOf) };
  }
}

class PatternWriter {
  constructor(private readonly dialect: Dialect) {}

  write(pattern: string): string {
    const tree = patternTree(pattern);
    if (!tree) throw new ForeignPatternError("SQL cannot express a part of it");
    const part = partOf(tree);
    if (!this.dialect.hasBoundaries)
      return this.#print(this.#withoutBoundaries(part));
    return this.#print(
      hasAnchor(part, "no-boundary") ? betweenCharacters(part) : part,
    );
  }

  #print(part: SqlPart): string {
    switch (part.kind) {
      case "class":
        return this.#printClass(part.ranges);
      case "anchor":
        return ANCHORS[part.anchor];
      case "sequence":
        return part.parts
          .map((one) =>
            one.kind === "alternatives" && one.parts.length > 1
              ? `(?:${this.#print(one)})`
              : this.#print(one),
          )
          .join("");
      case "alternatives":
        return part.parts.map((one) => this.#print(one)).join("|");
      case "repeat": {
        const inner = this.#print(part.part);
        const isOne = part.part.kind === "class";
        return (isOne ? inner : `(?:${inner})`) + part.counts;
      }
    }
  }

  #printClass(ranges: Ranges): string {
    const [[first, last] = [0, 0], ...others] = ranges;
    if (ranges.length === 0) return `[^${this.#printRange(0, HIGHEST)}]`;
    if (first === last && others.length === 0) return this.#printOne(first);
    const members = ranges.map(([from, to]) => this.#printRange(from, to));
    return `[${members.join("")}]`;
  }

  #printRange(first: number, last: number): string {
    const from = this.#printOne(first);
    return first === last ? from : `${from}-${this.#printOne(last)}`;
  }

  #printOne(code: number): string {
    const character = String.fromCharCode(code);
    return code < 128 && /[0-9A-Za-z _/,:;=@~"'<>!%`]/.test(character)
      ? character
      : this.dialect.patternCharacter(code);
  }

  /**
   * Removes the word boundaries and ends of lines at both ends of the whole pattern,
   * because engines differ in them. A character class, which reads a neighbouring
   * character, takes their place.
   */
  #withoutBoundaries(part: SqlPart): SqlPart {
    if (!hasBoundary(part)) return part;
    if (part.kind === "alternatives")
      return {
        kind: "alternatives",
        parts: part.parts.map((one) => this.#withoutBoundaries(one)),
      };
    if (part.kind === "sequence") {
      const [first, ...rest] = part.parts;
      if (part.parts.length === 1 && first)
        return first.kind === "alternatives"
          ? this.#withoutBoundaries(first)
          : this.#refuseBoundary();
      const last = rest.at(-1);
      const next = rest[0];
      let parts = part.parts;
      if (first?.kind === "anchor" && next) {
        const around = aroundOf(first.anchor, edgeOf(next, "first"), "start");
        if (around) parts = [around, ...parts.slice(1)];
      }
      const beforeLast = part.parts.at(-2);
      if (last?.kind === "anchor" && beforeLast) {
        const around = aroundOf(last.anchor, edgeOf(beforeLast, "last"), "end");
        if (around) parts = [...parts.slice(0, -1), around];
      }
      if (!parts.some(hasBoundary)) return { kind: "sequence", parts };
    }
    return this.#refuseBoundary();
  }

  #refuseBoundary(): never {
    throw new ForeignPatternError(
      "it asks for a word boundary or the end of a line in its middle, where the engine's libraries differ",
    );
  }
}

const ANCHORS: Readonly<Record<Anchor, string>> = {
  start: "\\A",
  end: "\\z",
  "line-start": "(?m:^)",
  "line-end": "(?m:$)",
  boundary: "\\b",
  "no-boundary": "\\B",
};

const anchor = (name: Anchor): SqlPart => ({ kind: "anchor", anchor: name });

const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const NO_WORD: Ranges = [
  [0, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x5e],
  [0x60, 0x60],
  [0x7b, HIGHEST],
];
const LINE_END: Ranges = [[0x0a, 0x0a]];

const hasBoundary = (part: SqlPart) =>
  hasAnchor(part, "line-start", "line-end", "boundary", "no-boundary");

function hasAnchor(part: SqlPart, ...anchors: readonly Anchor[]): boolean {
  switch (part.kind) {
    case "anchor":
      return anchors.includes(part.anchor);
    case "class":
      return false;
    case "repeat":
      return hasAnchor(part.part, ...anchors);
    default:
      return part.parts.some((one) => hasAnchor(one, ...anchors));
  }
}

/**
 * A pattern that matches only where a character begins. RE2 reads bytes, so it finds `\B`
 * between the bytes of one character.
 */
const betweenCharacters = (part: SqlPart): SqlPart => ({
  kind: "sequence",
  parts: [
    anchor("start"),
    {
      kind: "repeat",
      part: { kind: "class", ranges: [[0, HIGHEST]] },
      counts: "*",
    },
    part,
  ],
});

/**
 * The characters that a pattern may read at one of its ends in place of an anchor;
 * undefined if they are not certain.
 */
function aroundOf(
  name: Anchor,
  edge: "word" | "no word" | undefined,
  place: "start" | "end",
): SqlPart | undefined {
  const edgeOfText = anchor(place);
  const either = (ranges: Ranges, orEdge: boolean): SqlPart => ({
    kind: "alternatives",
    parts: [
      ...(orEdge ? [edgeOfText] : []),
      { kind: "class", ranges } as const,
    ].map((one) => ({ kind: "sequence", parts: [one] })),
  });
  if (name === "line-start")
    return place === "start" ? either(LINE_END, true) : undefined;
  if (name === "line-end")
    return place === "end" ? either(LINE_END, true) : undefined;
  if (edge === undefined) return undefined;
  if (name === "boundary")
    return edge === "word" ? either(NO_WORD, true) : either(WORD, false);
  if (name === "no-boundary")
    return edge === "word" ? either(WORD, false) : either(NO_WORD, true);
  return undefined;
}

/** Whether the first or the last character that a part reads is always part of a word, or never. */
function edgeOf(
  part: SqlPart,
  end: "first" | "last",
): "word" | "no word" | undefined {
  switch (part.kind) {
    case "class": {
      const isWithin = (all: Ranges) =>
        part.ranges.every(([first, last]) =>
          all.some(([from, to]) => first >= from && last <= to),
        );
      if (part.ranges.length === 0) return undefined;
      return isWithin(WORD)
        ? "word"
        : isWithin(NO_WORD)
          ? "no word"
          : undefined;
    }
    case "repeat":
      return /^(?:\+|\{[1-9])/.test(part.counts)
        ? edgeOf(part.part, end)
        : undefined;
    case "sequence": {
      const one = part.parts.at(end === "first" ? 0 : -1);
      return one && edgeOf(one, end);
    }
    case "alternatives": {
      const edges = new Set(part.parts.map((one) => edgeOf(one, end)));
      return edges.size === 1 ? [...edges][0] : undefined;
    }
    case "anchor":
      return undefined;
  }
}

const known = new Map<string, Ranges>();
const MAX_KNOWN = 5_000;

/** The characters that a part of a pattern for one character matches. */
function rangesOf(source: string, flags: Flags): Ranges {
  const prefix = `(?${flags.ignoresCase ? "i" : ""}${flags.dotsAreAll ? "s" : ""})`;
  const pattern = (prefix === "(?)" ? "" : prefix) + source;
  const found = known.get(pattern);
  if (found) return found;
  const ranges = compiledRanges(pattern);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(pattern, ranges);
  return ranges;
}

/** The instructions of a compiled pattern that read a character, as re2js numbers them. */
const FAIL = 5;
const RUNES: readonly number[] = [8, 9, 10, 11];
const ANY = 10;
const ANY_BUT_LINE_END = 11;

function compiledRanges(pattern: string): Ranges {
  const instructions = programOf(pattern);
  const reading = instructions.filter(({ op }) => RUNES.includes(op));
  const [one] = reading;
  if (!one || reading.length > 1) {
    const isEmpty = !one && instructions.some(({ op }) => op === FAIL);
    if (isEmpty) return [];
    throw new ForeignPatternError(`it has ${pattern}, which is no class`);
  }
  if (one.op === ANY) return [[0, HIGHEST]];
  if (one.op === ANY_BUT_LINE_END)
    return [
      [0, 9],
      [11, HIGHEST],
    ];
  const runes = [...one.runes];
  const [first = 0] = runes;
  if (runes.length > 1) return withoutSurrogates(pairsOf(runes));
  // One character without regard to letter case. In a class, re2js lists all forms of
  // the character.
  const isFolded = one.op === RUNES[0] && (one.arg & 1) === 1;
  if (!isFolded) return withoutSurrogates([[first, first]]);
  const companion = HIGHEST - 1;
  const forms = programOf(
    `(?i)[\\x{${first.toString(16)}}\\x{${companion.toString(16)}}]`,
  ).find(({ op }) => RUNES.includes(op));
  return pairsOf([...(forms?.runes ?? [])]).filter(
    ([from]) => from !== companion,
  );
}

/** The members of an instruction of a compiled pattern that are read here. */
interface Instruction {
  readonly op: number;
  readonly arg: number;
  readonly runes: Int32Array;
}

function programOf(pattern: string): readonly Instruction[] {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded when a pattern is written, as by the evaluator
  const { RE2JS } = require("re2js") as typeof re2;
  const { prog } = RE2JS.compile(pattern).re2() as {
    readonly prog: { readonly inst: readonly Instruction[] };
  };
  return prog.inst;
}

function pairsOf(runes: readonly number[]): Ranges {
  return Array.from({ length: runes.length / 2 }, (_, i) => [
    runes[2 * i] ?? 0,
    runes[2 * i + 1] ?? 0,
  ]);
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** No text of an engine has a surrogate, and not every engine takes one in a pattern. */
function withoutSurrogates(ranges: Ranges): Ranges {
  return ranges.flatMap(([first, last]): Ranges => {
    const isBorder = (code: number) =>
      code >= FIRST_SURROGATE && code <= LAST_SURROGATE;
    if (!isBorder(first) && !isBorder(last)) return [[first, last]];
    const parts: Ranges = [
      [first, Math.min(last, FIRST_SURROGATE - 1)],
      [Math.max(first, LAST_SURROGATE + 1), last],
    ];
    return parts.filter(([from, to]) => from <= to);
  });
}
