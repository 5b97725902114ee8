import { patternTree, type Anchor, type PatternPart } from "./pattern-tree";

/** Most comparisons of characters that a native pattern may make from one place of a text. */
const MAX_STEPS = 1_000;

const SYNTAX = String.raw`[\^$\\.*+?()[\]{}|]`;
const ESCAPE = String.raw`\\(?:[dsw]|/|${SYNTAX})`;
const CLASS = String.raw`\[\^?(?:[0-9A-Za-z]-[0-9A-Za-z]|${ESCAPE}|(?![-[\]\\^])[ -~])+-?\]`;
const ONE = new RegExp(
  String.raw`^(?:\.|(?!${SYNTAX})[ -~]|${ESCAPE}|\\[DSW]|${CLASS})$`,
);
const CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\t\\n\\f\\r ",
};

/** Anchors that JavaScript has. Anchors of a line are left to RE2. */
const ANCHORS: Partial<Readonly<Record<Anchor, string>>> = {
  start: "^",
  end: "$",
  boundary: "\\b",
};

/** A part of a pattern in the syntax of JavaScript, and the cost of matching it. */
interface NativePart {
  readonly source: string;
  /** The number of ways in which the part can match. */
  readonly ways: number;
  /** Comparisons over all ways; infinite for a part that must not run natively. */
  readonly steps: number;
  /** Most unbounded repeats on one way. */
  readonly loops: number;
}

const EMPTY: NativePart = { source: "", ways: 1, steps: 0, loops: 0 };
/** A part that makes the whole pattern use RE2. */
const FOREIGN: NativePart = { ...EMPTY, steps: Infinity };

/**
 * A JavaScript regular expression that matches exactly what an RE2 pattern matches,
 * also in linear time; undefined if that is not certain. It supports printable ASCII,
 * classes of it, groups, alternatives, `?`, `^`, `$`, `\b`, and `(?i)` in front. `*`
 * and `+` are supported behind a character or a class, at the end of an alternative,
 * where nothing makes them backtrack, and once in an alternative that begins with `^`.
 */
export function nativePattern(
  pattern: string,
): { readonly regex: RegExp; readonly steps: number } | undefined {
  const tree = patternTree(pattern);
  if (!tree) return undefined;
  const isFolded = pattern.startsWith("(?i)");
  const { source, steps } = new Translation(isFolded).of(tree, true);
  if (steps > MAX_STEPS) return undefined;
  try {
    // With the flag `u`, a surrogate pair is one character, and letter case is ignored as in RE2.
    return { regex: new RegExp(source, isFolded ? "iu" : "u"), steps };
  } catch {
    // A range runs backwards.
    return undefined;
  }
}

class Translation {
  constructor(private readonly isFolded: boolean) {}

  /** @param isLast whether the whole pattern, or an alternative of it, may end behind the part */
  of(part: PatternPart, isLast: boolean): NativePart {
    switch (part.kind) {
      case "alternatives":
        return part.parts
          .map((one) => this.of(one, isLast))
          .reduce((a, b) => ({
            source: `${a.source}|${b.source}`,
            ways: a.ways + b.ways,
            steps: a.steps + b.steps,
            loops: Math.max(a.loops, b.loops),
          }));
      case "sequence":
        return this.#sequence(part.parts, isLast);
      case "group": {
        if (part.opening !== "(" && part.opening !== "(?:") return FOREIGN;
        const { source, ways, steps, loops } = this.of(part.part, false);
        // The additional step bounds the depth of nesting.
        return { source: `(?:${source})`, ways, steps: steps + 1, loops };
      }
      case "anchor":
        return this.#anchor(part);
      case "repeat":
        return this.#repeat(part.part, part.counts, isLast);
      case "one": {
        const { source, flags } = part;
        const isPlain =
          flags.ignoresCase === this.isFolded && !flags.dotsAreAll;
        return isPlain && ONE.test(source)
          ? { source: asJavaScript(source), ways: 1, steps: 1, loops: 0 }
          : FOREIGN;
      }
    }
  }

  #sequence(parts: readonly PatternPart[], isWhole: boolean): NativePart {
    const [first] = parts;
    const mayLoop =
      first?.kind === "anchor" && first.anchor === "start" ? 1 : 0;
    let all = EMPTY;
    for (const [i, part] of parts.entries()) {
      const next = this.of(part, isWhole && i === parts.length - 1);
      all = {
        source: all.source + next.source,
        ways: all.ways * next.ways,
        steps: all.steps + all.ways * next.steps,
        loops: all.loops + next.loops,
      };
    }
    return isWhole && all.loops > mayLoop ? FOREIGN : all;
  }

  #anchor({ anchor }: Extract<PatternPart, { kind: "anchor" }>): NativePart {
    const source = ANCHORS[anchor];
    // If letter case is ignored, JavaScript's `\b` also counts letters beyond ASCII.
    const isForeign = anchor === "boundary" && this.isFolded;
    return source === undefined || isForeign
      ? FOREIGN
      : { ...EMPTY, source, steps: 1 };
  }

  #repeat(part: PatternPart, counts: string, isLast: boolean): NativePart {
    const one = this.of(part, false);
    const source = one.source + counts;
    if (part.kind === "group" && counts === "?")
      return { ...one, source, ways: one.ways + 1 };
    if (part.kind !== "one") return FOREIGN;
    if (counts === "?") return { ...one, source, ways: 2 };
    return counts === "*" || counts === "+"
      ? { ...one, source, loops: isLast ? 0 : 1 }
      : FOREIGN;
  }
}

/** The source for one character, with the classes of RE2 spelt out. */
function asJavaScript(one: string): string {
  if (one === ".") return "[^\\n]";
  const isClass = one.startsWith("[");
  return one.replace(
    /\\([dDsSwW])|\\./g,
    (escape, name: string | undefined) => {
      const members = CLASSES[name?.toLowerCase() ?? ""];
      if (!name || !members) return escape;
      return isClass ? members : `[${/[DSW]/.test(name) ? "^" : ""}${members}]`;
    },
  );
}
