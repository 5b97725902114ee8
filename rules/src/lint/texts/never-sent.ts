import {
  patternTexts,
  type PatternText,
} from "../../language/regex/pattern-texts";
import { quote } from "../../language/syntax/print-expression";
import { realisticTexts } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import { isMissingHeader } from "../set/missing-text";
import { OF_APP } from "./clients";
import { meantBy, safest } from "./matches-others";
import {
  finds,
  holds,
  inCaseOf,
  isWhole,
  one,
  samplesOf,
  type Instead,
  type Meant,
  type TextClaim,
} from "./text-claim";
import { stepsOf } from "./sent-texts";

/** The claim that no client sends a text; undefined if it is not known of any step. */
export function neverSent(comparison: TextComparison): TextClaim | undefined {
  const { operator, text, part, field } = comparison;
  if (["<", ">", "<=", ">="].includes(operator) || field?.type === "ip")
    return undefined;
  if (operator === "matches") return neverInPattern(comparison);
  // missing-header finds these.
  if (isMissingHeader(part, text)) return undefined;
  return claimOf(text, comparison);
}

function claimOf(
  text: string,
  comparison: TextComparison,
): TextClaim | undefined {
  const { part, operator, functions } = comparison;
  let says: string | undefined;
  let right = text;
  let other: Meant | undefined;
  for (const [sent, step] of stepsOf(part)) {
    const meant = step(right, comparison);
    if (meant === undefined || meant === false || meant === right) continue;
    if (typeof meant === "string") right = meant;
    else other = "tests" in meant ? { instead: meant } : meant;
    says ??= other?.says ?? sent;
    if (other) break;
  }
  if (says === undefined) return undefined;
  const folded = inCaseOf(functions, right);
  if (!other && (folded === text || (folded === "" && !isWhole(comparison))))
    return undefined;
  const plain = operator === "in" ? "==" : operator;
  const instead = other
    ? other.instead
    : folded === ""
      ? one(plain, "")
      : OF_APP.test(folded)
        ? undefined
        : safest(part, meantBy(part, { operator: plain, text: folded }));
  const shows = (
    other?.shows ?? valuesWith(part, instead ?? one(plain, folded))
  ).filter((value) => !finds(comparison, value));
  if (shows.length === 0) return undefined;
  return {
    ...(other ?? { advice: `write ${quote(folded)}` }),
    says: (value) => `${says}; a client sends ${quote(value)}`,
    shows,
    instead,
  };
}

/** Values that clients send and for which one of some comparisons holds, or all. */
const valuesWith = (part: string, { tests, joinedBy }: Instead) =>
  joinedBy === "&&"
    ? // The beginning and the end of a value.
      [tests.map(({ text }) => text).join("www")].filter((value) =>
        tests.every((each) => holds(each, value)),
      )
    : tests.flatMap((test) =>
        test.operator === "matches"
          ? samplesOf(test.text)
          : [
              ...(isWhole(test) ? [] : realisticTexts(part, [test.text])),
              test.text,
            ].filter((value) => holds(test, value)),
      );

/** The claim that no client sends a text that a pattern looks for. */
function neverInPattern(comparison: TextComparison): TextClaim | undefined {
  const { text: pattern, functions, part } = comparison;
  const { texts = [], isComplete = false } =
    patternTexts(withoutRest(pattern)) ?? {};
  const claimed = ({ text: sampled, ...sample }: PatternText) => {
    // In front of the dot, a name is missing, because the pattern has any characters there.
    const text = sampled.replace("://.", "://www.");
    const of: TextComparison = {
      ...comparison,
      operator: sample.atStart
        ? sample.atEnd
          ? "=="
          : "startsWith"
        : sample.atEnd
          ? "endsWith"
          : "contains",
      text,
      list: [text],
    };
    const claim = text === "" ? undefined : claimOf(text, of);
    const isFound = claim?.shows.some((value) => finds(comparison, value));
    const shows = isFound ? [] : claim?.shows;
    // A sample of an incomplete list is not what somebody wrote, and a version may have an
    // end of its own: both are only wrong if it is known what is meant.
    const isWritten = isComplete && part !== "sdk.version";
    return claim && shows && (isWritten || claim.instead)
      ? { ...claim, shows, sample: text }
      : undefined;
  };
  let claim: ReturnType<typeof claimed>;
  for (const sample of texts.slice(0, MAX_TEXTS)) {
    const found = claimed(sample);
    // Of an incomplete list, every text has to be wrong.
    if (!found && !isComplete) return undefined;
    // What is meant by a text may be what the pattern matches as well.
    if (found && found.shows.length > 0) claim ??= found;
    if (claim && isComplete) break;
  }
  if (!claim) return undefined;
  const { sample, shows } = claim;
  const meant = claim.instead?.tests[0]?.text;
  const right = (
    meant === undefined
      ? []
      : [
          pattern.replace(/(?<=\w)\\\+/g, " "),
          pattern.replace(/^(\^?\(*)http:/, "$1https?:"),
          pattern.replaceAll("\b", "\\b"),
          // In small letters, a class such as \W would be another one.
          /\\[A-Z]/.test(pattern) ? pattern : inCaseOf(functions, pattern),
          ...rewordings(sample, meant).map(([from, to]) =>
            pattern.replace(from, () => to),
          ),
          pattern.replace(/\\?\/[^/]*$/, "$"),
          pattern.replace(/(?<=\((?:\?:)?)\^(?=\|)/g, "://"),
          ...(meant === sample ? [pattern.replace(/^\^|\$$/g, "")] : []),
        ]
  ).find(
    (each) =>
      each !== pattern &&
      shows.some((value) => finds({ ...comparison, text: each }, value)) &&
      safest(comparison.part, [one("matches", each)]) !== undefined,
  );
  return {
    ...claim,
    instead: right === undefined ? undefined : one("matches", right),
    advice: claim.advice ?? "correct the pattern",
  };
}

const MAX_TEXTS = 32;

/** A pattern without any characters at its beginning and end, which mean that there is none. */
const withoutRest = (pattern: string) =>
  pattern
    .replace(/^(\(\?i\))?\^\.\*(?![?*+])/, "$1")
    .replace(/(?<!\\)\.\*\$$/, "");

/** The words of a text that another text has in another spelling, with that spelling. */
function rewordings(from: string, to: string): [string, string][] {
  const words = (text: string) => text.match(/[\w-]+|[^\w-]+/g) ?? [];
  const [before, after] = [words(from), words(to)];
  const changed = before.flatMap((word, i): [string, string][] =>
    word !== after[i] && before.length === after.length
      ? [[word, after[i] ?? ""]]
      : [],
  );
  return changed.length === 1 ? changed : [[from, to]];
}
