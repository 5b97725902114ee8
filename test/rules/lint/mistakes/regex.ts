import { APP, mistakes, only, UA } from "./reported-mistake";

/** Mistakes that teams report from reviews of patterns. */
export const REGEX_MISTAKES = mistakes("regex", [
  [
    "an empty alternative at the end",
    "pattern-matches-everything",
    only(`${UA} matches '(?i)acme|initech|'`),
  ],
  [
    "an empty alternative between",
    "pattern-matches-everything",
    only(`${UA} matches 'Acme||Initech'`),
  ],
  [
    "everything may be missing",
    "pattern-matches-everything",
    only(`${UA} matches '(Acme)?'`),
  ],
  ["dot star", "pattern-matches-everything", only(`${UA} matches '.*'`)],
  [
    "anchors beside alternatives",
    "pattern-alternatives",
    only(`${APP} matches '^com[.]a|com[.]b|com[.]c$'`),
  ],
  ["slashes and a flag", "pattern-slashes", [`deny ${UA} matches '/sqlmap/i'`]],
  [
    "slashes alone",
    "pattern-slashes",
    [`deny ${UA} matches '/(sqlmap|nikto)/'`],
  ],
  [
    "letters from A to z",
    "pattern-a-to-z",
    only(`${APP} matches '^com[.][A-z0-9]+$'`),
  ],
  ["a star behind a word", "pattern-glob", [`deny ${UA} matches 'sqlmap*'`]],
  ["a star behind a slash", "pattern-glob", [`deny ${UA} matches '^curl/*'`]],
  [
    "words in square brackets",
    "pattern-class",
    [`deny ${UA} matches '[curl|Wget]/'`],
  ],
  [
    "blanks around alternatives",
    "pattern-blanks",
    [`deny ${UA} matches 'curl/ | Wget/'`],
  ],
  [
    "an alternative of nothing in the middle",
    "pattern-matches-everything",
    [`deny ${UA} matches 'curl||Wget'`],
  ],
]);
