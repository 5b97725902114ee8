import { patternTexts } from "../../language/regex/pattern-texts";
import { knownHeader } from "../../language/tables/headers";
import { fieldNamed, operatorsOf } from "../../language/tables/lookup";
import { quote } from "../../language/syntax/print-expression";
import { nearest } from "../set/nearest";
import { isWhole, type ValueLint } from "./value-lint";

interface Vocabulary {
  readonly part: string;
  readonly values: readonly string[];
  /** The source of the values. */
  readonly source: string;
  /** Other words that people write for a value. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /**
   * Whether one value may list several values, separated by commas. Then only whole
   * texts are checked.
   */
  readonly isList?: boolean;
}

const FETCH = "Fetch Metadata Request Headers (W3C)";
const HINTS = "User-Agent Client Hints (WICG)";

const ROWS: readonly Omit<Vocabulary, "values">[] = [
  {
    part: "sdk.platform.name",
    source: 'docs/contract.md, "Expression language"',
    synonyms: {
      web: "js",
      browser: "js",
      javascript: "js",
      website: "js",
      desktop: "js",
      iphone: "ios",
      ipad: "ios",
      ipados: "ios",
      apple: "ios",
      droid: "android",
      none: "unknown",
      other: "unknown",
      "": "unknown",
    },
  },
  {
    part: "Sec-Fetch-Site",
    source: FETCH,
    synonyms: { "cross-origin": "cross-site" },
  },
  {
    part: "Sec-Fetch-Mode",
    source: FETCH,
    synonyms: { navigation: "navigate" },
  },
  {
    part: "Sec-Fetch-Dest",
    source: FETCH,
    synonyms: { "": "empty", none: "empty" },
  },
  {
    part: "Sec-Fetch-User",
    source: FETCH,
    synonyms: { "1": "?1", true: "?1" },
  },
  {
    part: "Sec-Ch-Ua-Mobile",
    source: HINTS,
    synonyms: { "0": "?0", "1": "?1", false: "?0", true: "?1" },
  },
  {
    part: "Sec-Ch-Ua-Platform",
    source: HINTS,
    synonyms: { mac: '"macOS"', "mac os x": '"macOS"', win: '"Windows"' },
  },
  {
    part: "Dnt",
    source: "Tracking Preference Expression (W3C)",
    synonyms: { true: "1", yes: "1", false: "0" },
  },
  {
    part: "Sec-Gpc",
    source: "Global Privacy Control (W3C)",
    synonyms: { true: "1", "?1": "1" },
  },
  {
    part: "Upgrade-Insecure-Requests",
    source: "Upgrade Insecure Requests (W3C)",
    synonyms: { true: "1", "?1": "1" },
  },
  {
    part: "Save-Data",
    source: "Save-Data (WICG)",
    synonyms: { true: "on", "1": "on", "?1": "on", yes: "on" },
  },
  {
    part: "X-Forwarded-Proto",
    source: "MDN, X-Forwarded-Proto",
    synonyms: {
      "http://": "http",
      "https://": "https",
      ssl: "https",
      tls: "https",
    },
    isList: true,
  },
];

const VOCABULARIES = ROWS.map((row): Vocabulary => ({
  ...row,
  values: valuesOf(row.part),
}));

function valuesOf(part: string): readonly string[] {
  const symbolic = fieldNamed(part)?.symbolic;
  const ofField = symbolic?.kind === "variable" ? symbolic.values : undefined;
  return ofField ?? knownHeader(part)?.values ?? [];
}

const OF_PART = new Map(VOCABULARIES.map((one) => [one.part, one]));

function meantValue({ values, synonyms = {} }: Vocabulary, text: string) {
  const bare = text.trim().toLowerCase().replaceAll("_", "-");
  const plain = (value: string) => value.toLowerCase().replaceAll('"', "");
  return (
    values.find((value) => plain(value) === bare.replaceAll('"', "")) ??
    (Object.hasOwn(synonyms, bare) ? synonyms[bare] : undefined) ??
    nearest(bare, values, bare.length > 5 ? 2 : 1)
  );
}

/** Lints of parts with only a few possible values. */
export const VOCABULARY_VALUES: Readonly<Record<string, ValueLint>> = {
  "unknown-value": {
    severity: "error",
    doc: "A part of the request that has only a few possible values is compared with another value.",
    sent: `Values, letter case included: ${VOCABULARIES.map(({ part, values, source }) => `\`${part}\`: ${values.map((value) => `\`${value}\``).join(", ")} (${source})`).join("; ")}.`,
    of: VOCABULARIES.map(({ part }) => part),
    example: { deny: "sdk.platform.name == 'Android'" },
    find(comparison) {
      const { operator, text, part, functions } = comparison;
      const vocabulary = OF_PART.get(part);
      if (!vocabulary || functions.length > 0) return undefined;
      const { values, isList = false } = vocabulary;
      if (isList && (!isWhole(comparison) || text.includes(",")))
        return undefined;
      if (operator === "matches") return inPattern(vocabulary, text);
      const isPossible = (value: string) =>
        isWhole(comparison)
          ? value === text
          : operator === "startsWith"
            ? value.startsWith(text)
            : operator === "endsWith"
              ? value.endsWith(text)
              : operator !== "contains" || value.includes(text);
      if (values.some(isPossible)) return undefined;
      const folded = operatorsOf.text.get(operator);
      const meant =
        values.find((value) => folded?.holds(value, text.toLowerCase())) ??
        meantValue(vocabulary, text);
      return {
        message: `${part} is never ${quote(text)}, but ${values.length > 6 ? `such as ${quote(meant ?? values[0] ?? "")}` : listed(values)}`,
        shows: meant ?? values[0] ?? "",
        text: isWhole(comparison) ? meant : undefined,
        comparison:
          !isWhole(comparison) && meant !== undefined
            ? `${comparison.subject} == ${quote(meant)}`
            : undefined,
        fix: `write one of these: ${listed(values)}`,
      };
    },
  },
};

/** A word in a pattern for the whole part that is not one of its values. */
function inPattern(vocabulary: Vocabulary, pattern: string) {
  const { values, part } = vocabulary;
  const { texts = [], isComplete = false } = patternTexts(pattern) ?? {};
  const isWholeText = texts.every(({ atStart, atEnd }) => atStart && atEnd);
  const wrong = texts.find(({ text }) => !values.includes(text))?.text;
  if (!isComplete || !isWholeText || wrong === undefined) return undefined;
  const meant = meantValue(vocabulary, wrong);
  if (meant === undefined || texts.some(({ text }) => text === meant))
    return undefined;
  return {
    message: `${part} is never ${quote(wrong)}, but such as ${quote(meant)}`,
    shows: meant,
    text: pattern.replace(wrong, () => meant),
    fix: `write one of these: ${listed(values)}`,
  };
}

function listed(values: readonly string[]): string {
  const [last = "", ...rest] = [...values].reverse().map(quote);
  return rest.length === 0 ? last : `${rest.reverse().join(", ")} or ${last}`;
}
