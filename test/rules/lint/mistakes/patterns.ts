import {
  APP,
  UA,
  deny,
  header,
  mistakes,
  only,
  origin,
  referer,
} from "./reported-mistake";

/** Mistakes in patterns. */
export const PATTERN_MISTAKES = mistakes("regex", [
  [
    "a range of numbers in a class",
    "pattern-numbers",
    deny(
      String.raw`any(${header("X-Forwarded-For")}, # matches '^198\\.51\\.100\\.[0-255]$')`,
    ),
  ],
  [
    "an accidental range of characters in a class",
    "pattern-range",
    deny(String.raw`any(${header("X-Path")}, # matches '^[a-z+-/]+$')`),
  ],
  [
    "a character twice in a class",
    "pattern-repeats",
    deny(`${UA} matches '[Bbb]otnet'`),
  ],
  [
    "an alternative twice",
    "pattern-repeats",
    deny(`${UA} matches 'sqlmap|nikto|sqlmap'`),
  ],
  [
    "an alternative within another one",
    "pattern-repeats",
    deny(`${UA} matches 'Googlebot|bot'`),
  ],
  ["^ in the middle", "never-matches", deny(`${UA} matches 'curl^/7'`)],
  ["$ in the middle", "never-matches", deny(`${UA} matches 'curl$/7'`)],
  [
    "too many backslashes",
    "pattern-backslash",
    origin(String.raw`# matches '^https://pay\\\\.example$'`),
  ],
  [
    "\\b that means a backspace",
    "invisible-character",
    deny(String.raw`${UA} matches '\bbot\b'`),
  ],
  [
    "a number of repetitions with a hyphen",
    "pattern-braces",
    deny(`${UA} matches 'Chrome/[0-9]{1-2}[.]'`),
  ],
  [
    "capitals behind lower() in a class",
    "letter-case-of-function",
    deny(`lower(${UA}) matches '^[A-Z]'`),
  ],
  [
    "A-z instead of A-Z",
    "pattern-a-to-z",
    only(`${APP} matches '^com[.]acme[.][a-zA-z]+$'`),
  ],
  ["only $", "pattern-matches-everything", deny(`${UA} matches '$'`)],
  [
    "a negated pattern that matches everything",
    "pattern-matches-everything",
    deny(`${UA} not matches '.*'`),
  ],
  [
    "a port that may be a part of the name",
    "origin-pattern",
    origin(String.raw`# matches '^https://pay\\.example:?[0-9]*$'`),
  ],
  [
    "a name that anyone can register at a provider, in a pattern",
    "origin-shared-host",
    origin(String.raw`# matches '^https://pay-.*\\.vercel\\.app$'`),
  ],
  [
    "capitals in the pattern of an origin",
    "origin-capitals",
    origin(String.raw`# matches '^https://Pay\\.example$'`),
  ],
  [
    "a slash at the end of the pattern of an origin",
    "origin-path",
    origin(String.raw`# matches '^https://pay\\.example/$'`),
  ],
  [
    "a path in the pattern of an origin",
    "origin-path",
    origin(String.raw`# matches '^https://pay\\.example/.*$'`),
  ],
  [
    "the default port in the pattern of an origin",
    "origin-port",
    origin(String.raw`# matches '^https://pay\\.example:443$'`),
  ],
  [
    "umlauts in the pattern of an origin",
    "origin-not-ascii",
    origin("# matches '^https://m\u00fcller\\\\.example$'"),
  ],
  [
    "dots in a package name that match any character",
    "package-pattern",
    only(`${APP} matches '^com.acme.shop$'`),
  ],
  [
    "a part of a package name in a pattern",
    "package-starts",
    only(String.raw`${APP} matches 'com\\.acme'`),
  ],
  [
    "a pattern with anything before the host of a referer",
    "referer-pattern",
    referer(String.raw`# matches '^https?://[^/]*pay\\.example/'`),
  ],
]);
