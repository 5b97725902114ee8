import {
  APP,
  mistakes,
  only,
  ORIGIN,
  origin,
  REFERER,
  UA,
} from "./reported-mistake";

/** Mistakes that teams report from reviews of rules. */
export const REVIEW_MISTAKES = mistakes("review", [
  [
    "a zero-width space from a page",
    "invisible-character",
    origin("# == 'https://pay.\u200bexample'"),
  ],
  [
    "a soft hyphen",
    "invisible-character",
    [`deny ${UA} contains 'sql\u00admap'`],
  ],
  [
    "a no-break space",
    "invisible-character",
    [`deny ${UA} contains 'Windows\u00a0NT 5'`],
  ],
  [
    "a Cyrillic letter in a host",
    "mixed-script",
    origin("# endsWith '.p\u0430y.example'"),
  ],
  [
    "a Greek letter in a package",
    "mixed-script",
    only(`${APP} == 'c\u03bfm.payright'`),
  ],
  [
    "a blank behind an origin",
    "blank-ends",
    origin("# == 'https://pay.example '"),
  ],
  [
    "a blank in front of a version",
    "blank-ends",
    ["deny sdk.version == ' 3.9.1'"],
  ],
  [
    "the end of a line in a list",
    "blank-ends",
    [`deny ${APP} in ['com.a\\n', 'com.b']`],
  ],
  [
    "lists within lists of quantifiers",
    "nested-quantifiers",
    [
      `deny any(${ORIGIN}, # == 'https://a.example' && any(${REFERER}, # == 'https://a.example/'))`,
    ],
  ],
]);
