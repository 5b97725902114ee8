import fc from "fast-check";
import { mixed, pick, wordOf } from "./random-words";

/** Texts for which letter case, line ends and non-ASCII characters matter. */
export const patternText = fc.oneof(
  wordOf(" a ab aab A1 é \n b\na αβ - \u{1f600}", "Aa "),
  fc
    .array(
      pick(
        ..."a b k s S K A 1 . - _ / | \n \r \t \v \u2028 \u00a0 \u212a \u017f \u0130 \u1e9e é É \u{1f600}".split(
          " ",
        ),
        " ",
      ),
      { maxLength: 6 },
    )
    .map((characters) => characters.join("")),
);

/** Patterns made of the syntax of several dialects. */
export const anyPattern = mixed(
  String.raw`a b . * + ? | ( ) [ ] ^ $ \d \w \b \B \p{L} \pN \x41 \Qa* \E (?i) (?s) (?P<n> (?<m> (?: (?= (?! (?<= {2} {1,} {0,1001} [[:digit:]] [^a] [a-c] \z \A \Z \C \1 *? é (?U) (?x) \G \p{Greek} \P{L} \p{Foo} \s \S - \-`,
  5,
);

/** Patterns of plain syntax. Most of them run natively. */
export const plainPattern = fc
  .tuple(
    pick("", "", "(?i)", "^", "(?i)^"),
    mixed(
      String.raw`a b k s K S 1 - / _ ab bot . \. \/ \| \d \D \w \W \s \S [a-k] [^a-k] [\w.-] [^\d] [ks] [^K-S] [k-a] [A-z] [\]] [$] ( (?: ) ) | ^ $ \b ? * +`,
      7,
    ),
  )
  .map((parts) => parts.join(""));

/** An expression that tests the user agent with a pattern, and a user agent. */
export const matchesOf = (pattern: fc.Arbitrary<string>) =>
  fc.record({
    expression: pattern.map(
      (text) =>
        `http.user_agent.string matches '${text.replaceAll("\\", "\\\\")}'`,
    ),
    request: patternText.map((userAgent) => ({ headers: {}, userAgent })),
  });
