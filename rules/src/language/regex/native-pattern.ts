/** Most comparisons of characters that a native pattern may make from one place of a text. */
const MAX_STEPS = 1_000;

const SYNTAX = String.raw`[\^$\\.*+?()[\]{}|]`;
const ESCAPE = String.raw`\\(?:[dsw]|/|${SYNTAX})`;
const CLASS = String.raw`\[\^?(?:[0-9A-Za-z]-[0-9A-Za-z]|${ESCAPE}|(?![-[\]\\^])[ -~])+-?\]`;
const ONE = String.raw`\.|(?!${SYNTAX})[ -~]|${ESCAPE}|\\[DSW]|${CLASS}`;
const ITEM = new RegExp(
  String.raw`(?<open>\((?:\?:)?)|(?<anchor>[$^]|\\b)|(?<one>${ONE})(?<repeat>[*+?]?)`,
  "y",
);
const CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\t\\n\\f\\r ",
};

/** A part of a pattern in the syntax of JavaScript, and the cost of matching it. */
interface Part {
  readonly source: string;
  /** In how many ways it can match. */
  readonly ways: number;
  /** Comparisons over all ways; infinite for a part that must not run natively. */
  readonly steps: number;
  /** Most unbounded repeats on one way. */
  readonly loops: number;
}

const EMPTY: Part = { source: "", ways: 1, steps: 0, loops: 0 };

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
  const isFolded = pattern.startsWith("(?i)");
  const text = isFolded ? pattern.slice("(?i)".length) : pattern;
  const { source, steps } = new PatternReader(text, isFolded).read();
  if (steps > MAX_STEPS) return undefined;
  try {
    // With the flag `u`, a surrogate pair is one character, and letter case is ignored as in RE2.
    return { regex: new RegExp(source, isFolded ? "iu" : "u"), steps };
  } catch {
    // A range runs backwards.
    return undefined;
  }
}

class PatternReader {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly isFolded: boolean,
  ) {}

  read(): Part {
    const whole = this.#alternatives(true);
    return this.#at < this.text.length ? this.#foreign() : whole;
  }

  #alternatives(isWhole: boolean): Part {
    const parts = [this.#sequence(isWhole)];
    while (this.#accept("|")) parts.push(this.#sequence(isWhole));
    return parts.reduce((a, b) => ({
      source: `${a.source}|${b.source}`,
      ways: a.ways + b.ways,
      steps: a.steps + b.steps,
      loops: Math.max(a.loops, b.loops),
    }));
  }

  #sequence(isWhole: boolean): Part {
    const mayLoop = this.text[this.#at] === "^" ? 1 : 0;
    let all = EMPTY;
    while (!this.#isEnd() && this.text[this.#at] !== ")") {
      const next = this.#item(isWhole);
      all = {
        source: all.source + next.source,
        ways: all.ways * next.ways,
        steps: all.steps + all.ways * next.steps,
        loops: all.loops + next.loops,
      };
    }
    return isWhole && all.loops > mayLoop ? this.#foreign() : all;
  }

  #item(isWhole: boolean): Part {
    ITEM.lastIndex = this.#at;
    const groups = ITEM.exec(this.text)?.groups;
    if (!groups) return this.#foreign();
    this.#at = ITEM.lastIndex;
    const { open, anchor, one, repeat } = groups;
    if (open) {
      const { source, ways, steps, loops } = this.#alternatives(false);
      if (!this.#accept(")")) return this.#foreign();
      // The additional step bounds the depth of nesting.
      const group = { source: `(?:${source})`, ways, steps: steps + 1, loops };
      return this.#accept("?")
        ? { ...group, source: `${group.source}?`, ways: ways + 1 }
        : group;
    }
    // If letter case is ignored, JavaScript's `\b` also counts letters beyond ASCII.
    if (anchor === "\\b" && this.isFolded) return this.#foreign();
    if (one === undefined) return { ...EMPTY, source: anchor ?? "", steps: 1 };
    const source = asJavaScript(one) + repeat;
    if (!repeat || repeat === "?")
      return { source, ways: repeat ? 2 : 1, steps: 1, loops: 0 };
    const isLast = isWhole && this.#isEnd();
    return { source, ways: 1, steps: 1, loops: isLast ? 0 : 1 };
  }

  /** Whether an alternative of the whole pattern may end here. */
  #isEnd(): boolean {
    return this.#at >= this.text.length || this.text[this.#at] === "|";
  }

  #accept(text: string): boolean {
    const isIt = this.text.startsWith(text, this.#at);
    if (isIt) this.#at += text.length;
    return isIt;
  }

  /** Gives up on the whole pattern. */
  #foreign(): Part {
    this.#at = this.text.length;
    return { ...EMPTY, steps: Infinity };
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
