import { partsOfPattern } from "../../language/regex/pattern-tree";
import { quote } from "../../language/syntax/print-expression";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import { bareCrawlers, OF_BROWSERS, REAL_USER_AGENTS } from "./clients";
import {
  inCaseOf,
  isMatch,
  one,
  samplesOf,
  withDots,
  type TextClaim,
} from "./text-claim";

/** A row of the table: what people write in a pattern, and what they mean. */
interface PatternTypo {
  readonly why: string;
  /** The pattern that is meant, or what to replace by what; the same if the pattern has not this mistake. */
  readonly meant:
    | readonly [mistake: RegExp, by: string]
    | ((pattern: string) => string);
  /** Headers and fields; absent for all. */
  readonly of?: readonly string[];
  /** Real texts that may show the mistake. */
  readonly tries?: readonly string[];
  /** What to do if no pattern for what is meant is known. */
  readonly advice?: string;
}

/** An ordinary text that no rule should match. */
const ORDINARY =
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

const OF_ASCII = Array.from({ length: 95 }, (_, i) =>
  String.fromCharCode(32 + i),
);

/** The classes in square brackets of a pattern. */
const classesIn = (pattern: string) =>
  [...partsOfPattern(pattern)].flatMap((part) =>
    part.kind === "one" && part.source.startsWith("[") ? [part] : [],
  );

/** A pattern with each of its classes corrected. */
const inClasses = (correct: (source: string) => string) => (pattern: string) =>
  classesIn(pattern)
    .sort((a, b) => b.from - a.from)
    .reduce(
      (all, { from, to, source }) =>
        all.slice(0, from) + correct(source) + all.slice(to),
      pattern,
    );

/** A class whose hyphen between two signs stands at its end. */
function withHyphenAtEnd(source: string): string {
  const moved = source.replace(
    /([+,.:;=@_/()*&|'"])-([+,.:;=@_/()*&|'"])/g,
    (range: string, first: string, last: string) =>
      // Two signs with one between them may be meant.
      last.charCodeAt(0) - first.charCodeAt(0) > 2 ? first + last : range,
  );
  return moved === source ? source : moved.replace(/]$/, "-]");
}

/** `^a|b$` as `^(?:a|b)$`. */
function grouped(pattern: string): string {
  const outside = pattern.replace(
    /\\.|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)/g,
    "",
  );
  return /^\^[^|^$]*(?:\|[^|^$]*)+\$$/.test(outside)
    ? `^(?:${pattern.slice(1, -1)})$`
    : pattern;
}

/** Whether a pattern finds a known client. */
const isReal = (pattern: string) =>
  [...REAL_USER_AGENTS, ...OF_BROWSERS].some((each) => isMatch(pattern, each));

/** RE2, syntax. */
const TYPOS: readonly PatternTypo[] = [
  {
    why: "the slashes are looked for, too",
    meant: (pattern) =>
      pattern.replace(
        /^(?:\/(?=.+\/[gimsu]*$)|(?!\/)(?=.+\/g?i$))(.+)\/([gimsu]*)$/,
        (_, body: string, flags: string) =>
          (flags.includes("i") ? "(?i)" : "") + body,
      ),
  },
  {
    why: "^ and $ belong to one alternative each",
    meant: grouped,
  },
  {
    why: "[...] matches a single character",
    meant: inClasses((source) =>
      source.replace(
        /^\[(\w{2,}(?:\|[\w ]{2,})+|.*\{\d+(?:,\d*)?\}.*|\(\w.*\)|\^.*[.\w][+*]\$|(?=[\w/]*(\w)[\w/]*\2)[a-z]{4,}(?:\/\w+)?)\]$/i,
        "(?:$1)",
      ),
    ),
    tries: [ORDINARY],
  },
  {
    why: "[...] matches a single character, and no number of more digits",
    meant: inClasses((source) =>
      source.replace(
        /^\[\d{1,2}-(\d{2,4})\]$/,
        (_, most: string) => `[0-9]{1,${most.length}}`,
      ),
    ),
  },
  {
    why: "a hyphen between two signs is a range of characters",
    meant: inClasses(withHyphenAtEnd),
  },
  {
    why: "[A-z] has _ and other signs",
    meant: inClasses((source) =>
      source.replace("A-z", source.includes("a-z") ? "A-Z" : "A-Za-z"),
    ),
  },
  {
    why: "braces with a hyphen are looked for, and count nothing",
    meant: [/(?<!\\)\{(\d+)-(\d+)\}/g, "{$1,$2}"],
  },
  {
    why: "brackets make a group, and look for none",
    of: USER_AGENT_PARTS,
    meant: [
      /(?<=^| )\(([^()|]*\w[;,] [^()|]*|(?<= \()[\w .-]+)\)(?![*+?{])/g,
      "\\($1\\)",
    ],
  },
  {
    why: "* repeats the slash in front of it",
    of: ["Origin", "Referer"],
    meant(pattern) {
      const meant = pattern.replace(/(?<=:\/\/)\*\\?\./, "[^/]+\\.");
      return meant === pattern ? pattern : withDots(meant);
    },
  },
  {
    why: "the blanks are looked for, too",
    meant: (pattern) =>
      pattern.replace(/(\w*)(?<!\\)(?: +\| *|\| +)/g, (all, word: string) =>
        // Such as `MSIE |Trident`.
        all === `${word} |` &&
        REAL_USER_AGENTS.some((each) => each.includes(`${word} `))
          ? all
          : `${word}|`,
      ),
  },
  {
    why: "two backslashes look for a backslash",
    of: [
      ...["Origin", "Referer", "Host", "sdk.version"],
      "sdk.platform.app_package_name",
    ],
    meant: [/\\\\/g, "\\"],
  },
  {
    why: "* repeats the character in front of it",
    meant: (pattern) =>
      pattern
        .replace(/^(\(\?\w+\))(\w+[\w/])\*$/, "$1\\b$2")
        .replace(/(?<=(?:^|[|(^ /-]|\.\*\)?)\w+[\w/])\*\$?(?=\||\)|$)/g, ""),
  },
  {
    why: "[...] matches a single character",
    of: ["Origin", "Referer", "Host"],
    meant: [/\[\\?\.([a-z]{2,})\]/g, "\\.$1"],
  },
  {
    why: "the same without ^ is an alternative, too",
    meant: [/^(\^([\w/ -]+))\|\2$|^([\w/ -]+)\|(\^\3)$/, "$1$4"],
  },
  {
    why: "crawlers have these letters in front, too",
    of: USER_AGENT_PARTS,
    meant: [/\[\^[a-z]{1,4}\](?=bot|spider|crawl)/i, ""],
    tries: REAL_USER_AGENTS,
    advice: "leave out the clients that are not meant by their names",
  },
  {
    why: ". stands for any character",
    of: USER_AGENT_PARTS,
    meant: [/(?<=^(?:\(\?i\))?|\|)\.(?=[a-z]{2,}(?:\||$))/gi, "\\."],
  },
  {
    why: "\\* looks for a star",
    of: ["Origin", "Referer", "Host", "sdk.version", "X-Forwarded-For"],
    meant: [/\\\*/g, ".*"],
  },
  {
    why: "+ repeats the character in front of it",
    of: USER_AGENT_PARTS,
    meant: [/(?<=[ ;(])\+(?=http)/g, "\\+"],
  },
  {
    why: "user agents have it in the other order",
    of: USER_AGENT_PARTS,
    meant(pattern) {
      const meant = pattern.replace(
        /^(\(\?i\))?([^|^$]+?)\.\*\??([^|^$]+)$/,
        "$1$3.*$2",
      );
      return !isReal(pattern) && isReal(meant) ? meant : pattern;
    },
    tries: REAL_USER_AGENTS,
  },
  {
    why: "this browser has a shorter name in newer versions",
    of: USER_AGENT_PARTS,
    meant: [/\b(e)dge(?=\\?\/\(?(?:\\d|\[0-9\]))/i, "$1dge?"],
  },
  ...(
    [
      [/(?:\\\.\(?(?:\\d|\[0-9\])\+\)?){1,3}$/, "", "fewer"],
      [/(?<=\/[\\d.[\]0-9+()]+)(?=[ ;]|\\s|\$$)/, "[0-9.]*", "more"],
    ] as const
  ).map(([mistake, by, other]) => ({
    why: `these versions have ${other} numbers`,
    of: USER_AGENT_PARTS,
    meant(pattern: string) {
      const meant = pattern.replace(mistake, by);
      return !isReal(pattern) && isReal(meant) ? meant : pattern;
    },
    tries: OF_BROWSERS,
  })),
  {
    why: "a region has two letters or three digits",
    of: ["Accept-Language"],
    meant: [/(?<=-)\[A-Z\](?:\{2\}|\[A-Z\])/, "(?:[A-Z]{2}|[0-9]{3})"],
    tries: ["es-419,es;q=0.9", "en-150,en;q=0.9", "ar-001,ar;q=0.9"],
  },
  {
    // # is left of the comments in a list.
    why: "an empty alternative, or # alone, is found in other texts",
    meant: [/^#?\||(?<=\((?:\?:)?)#?\||\|#?(?=\||\)|$)/g, ""],
  },
  {
    why: "a choice at the end that may be left out changes nothing",
    meant: [/(?<=\w[^|()]*)(\((?:\?:)?[\w -]+(?:\|[\w -]+)+\))[?*]$/, "$1"],
  },
  ...[/\$$/, /^\^|\$$/g, /\\b/g].map((bound) => ({
    why: "a user agent has more than a name",
    of: USER_AGENT_PARTS,
    meant(pattern: string) {
      const meant = pattern.replace(bound, "");
      // Digits are of a version, which may be too old for the known user agents.
      if (/\d/.test(pattern) || meant === pattern || isMatch(meant, ""))
        return pattern;
      const isFound = (each: string) => isMatch(meant, each);
      const isMissed = (each: string) => !isMatch(pattern, each);
      const known = REAL_USER_AGENTS.filter(isFound);
      if (known.length > 0) return known.every(isMissed) ? meant : pattern;
      // A short word is within the names of many.
      const others = /\w\\b$/.test(pattern)
        ? bareCrawlers().filter(isFound)
        : [];
      return others.length <= MOST_OF_NAME && others.some(isMissed)
        ? meant
        : pattern;
    },
    // Only a pattern with this mistake needs the list of crawlers.
    get tries() {
      return bareCrawlers();
    },
  })),
];

/** Texts that may show that a pattern differs from the one that is meant. */
function triesFor(pattern: string, meant: string, part: string): string[] {
  const samples = [withDots(meant), meant, pattern].flatMap(samplesOf);
  // Characters that only a class of one of the patterns has.
  const ofClasses = classesIn(pattern).flatMap(({ from, to, source }) =>
    OF_ASCII.filter((sign) => isMatch(`^${source}$`, sign)).flatMap((sign) =>
      samplesOf(
        `${pattern.slice(0, from)}\\x{${sign.charCodeAt(0).toString(16)}}${pattern.slice(to)}`,
      ).slice(0, 1),
    ),
  );
  return [
    ...samples,
    ...(USER_AGENT_PARTS.includes(part) ? REAL_USER_AGENTS : []),
    ...ofClasses,
    ORDINARY,
    ...samples.flatMap((text) => [`${text}x`, `x${text}`, text.slice(0, -1)]),
  ];
}

/** The claim that a pattern does not mean what it seems to mean. */
export function patternTypo(comparison: TextComparison): TextClaim | undefined {
  const { operator, text, isOfPattern, part, functions } = comparison;
  if (operator !== "matches" && !isOfPattern)
    return ["contains", "startsWith", "endsWith"].includes(operator) &&
      text === ""
      ? everything(comparison)
      : undefined;
  const pattern = isOfPattern ? patternIn(comparison) : text;
  for (const typo of TYPOS) {
    const { why, meant, of, advice } = typo;
    if (of && !of.includes(part)) continue;
    const right =
      typeof meant === "function" ? meant(pattern) : pattern.replace(...meant);
    if (right === pattern || right === "") continue;
    const tries = [...(typo.tries ?? []), ...triesFor(pattern, right, part)];
    const shows = tries.filter((each) => {
      const value = inCaseOf(functions, each);
      return isMatch(pattern, value) !== isMatch(right, value);
    });
    if (shows.length === 0) continue;
    return {
      says: (value) =>
        `${quote(value)} ${isMatch(pattern, value) ? "is found" : "is not found"}, because ${why}`,
      shows: shows.slice(0, MOST_SHOWN),
      instead: advice === undefined ? one("matches", right) : undefined,
      advice,
    };
  }
  const isEverything = ["", "x", ORDINARY].every((each) =>
    isMatch(pattern, each),
  );
  return isEverything ? everything(comparison) : undefined;
}

const MOST_SHOWN = 8;

/** A name is in no more known user agents. */
const MOST_OF_NAME = 8;

const everything = ({ text }: TextComparison): TextClaim => ({
  says: (value) =>
    `${quote(text)} is found in every text, such as ${quote(value)}`,
  shows: [ORDINARY],
  advice: "write what has to be there",
});

/** The pattern as it is written, in which every character stands for itself. */
const patternIn = ({ node }: TextComparison) =>
  node.kind === "binary" && node.right.kind === "string"
    ? node.right.value
    : "";
