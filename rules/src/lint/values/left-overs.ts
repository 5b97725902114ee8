import { canonicalHeaderName } from "../../language/request/header-names";
import { quote } from "../../language/syntax/print-expression";
import { characterOf } from "../../language/text/characters";
import { WRITTEN_FOR_MISSING } from "../set/missing-text";
import type { TextComparison } from "../set/comparison";
import type { ValueLint } from "./value-lint";

/** Placeholders of templates: `${HOST}`, `{{ host }}`, `<your-domain>`, `CHANGE_ME`. */
const PLACEHOLDER =
  /\$\{[A-Za-z_][\w.-]*\}|\$\([A-Z_]+\)|\{\{[^}]*\}\}|<%[^%]*%>|<[a-z]+(?:[-_ ][a-z]+)+>|%\([a-z_]+\)s|\bYOUR[-_ ][A-Z][A-Z_ -]*|\b(?:CHANGE|REPLACE)_?ME\b|\b(?:TODO|FIXME)\b|__[A-Z][A-Z_]*__/;

/** Placeholders that may stand for themselves in a user agent, but in no origin, host, version or package. */
const PLACEHOLDER_OF_NAMES =
  /\$[A-Za-z_]\w{2,}|%[A-Za-z_]\w+%|#\{[^}]*\}|\{[A-Za-z_][\w.-]*\}|@@\w+@@|@\w+@$|\bchange[-_]?me\b|^(?:tbd|tba|xxx+)$/i;

const PARTS_OF_NAMES: readonly string[] = [
  ...["Origin", "Referer", "Host", "sdk.version"],
  "sdk.platform.app_package_name",
];

const placeholderIn = (text: string, part: string) =>
  (PLACEHOLDER.exec(text) ??
    (PARTS_OF_NAMES.includes(part)
      ? PLACEHOLDER_OF_NAMES.exec(text)
      : null))?.[0];

/** Whether a text that a part is compared with contains a placeholder that nobody filled in. */
export const hasPlaceholder = (text: string, part: string) =>
  placeholderIn(text, part) !== undefined;

/** Whether a text has a sign as HTML writes it. */
export const hasEntity = (text: string) => ENTITY.test(text);
const ENTITY = /&(?:#x[\da-f]+|#\d+|amp|quot|apos|lt|gt|nbsp);/i;

/** A text behind the name of the header that it is compared with; undefined if it does not begin with that name. */
export function behindHeaderName(
  text: string,
  part: string,
): string | undefined {
  const [line, name = ""] = /^([\w-]+):\s*/.exec(text) ?? [];
  const header = part === "http.user_agent.string" ? "User-Agent" : part;
  return line !== undefined && canonicalHeaderName(name) === header
    ? text.slice(line.length)
    : undefined;
}

function signOf(entity: string): string {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? [];
  const code = parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16);
  return characterOf(code) ?? ENTITIES[entity.toLowerCase()] ?? entity;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
};

/** Typographic signs that word processors and some keyboards write instead of ASCII. */
const TYPOGRAPHIC: Readonly<Record<string, string>> = {
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u2018": "'",
  "\u2019": "'",
  "\u2010": "-",
  "\u2011": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
  "\u2026": "...",
};
const TYPOGRAPHIC_SIGN =
  /[\u201c-\u201e\u2018\u2019\u2010\u2011\u2013\u2014\u2212\u2026\uff01-\uff5e]/g;

const inAscii = (text: string) =>
  text.replace(
    TYPOGRAPHIC_SIGN,
    (sign) => TYPOGRAPHIC[sign] ?? sign.normalize("NFKC"),
  );

/** A value of the part for which the comparison with a text holds. */
const valueOf = ({ part, operator }: TextComparison, text: string) =>
  part === "Origin" && operator === "endsWith" ? `https://www${text}` : text;

/** Texts that a tool left in a rule. */
export const LEFT_OVER_VALUES: Readonly<Record<string, ValueLint>> = {
  "header-line": {
    doc: "A text begins with the name of the header that it is compared with.",
    sent: "A line of a request has the name of a header, a colon and the value. Rules see the value alone (RFC 9112, 5).",
    example: { deny: "http.user_agent.string contains 'User-Agent: sqlmap'" },
    find(comparison) {
      const { text, part, operator } = comparison;
      const right =
        operator === "matches" ? undefined : behindHeaderName(text, part);
      if (right === undefined || right === "") return undefined;
      const shows = valueOf(comparison, right);
      return {
        message: `the value does not begin with the name of its header, as in ${quote(shows)}`,
        shows,
        text: right,
      };
    },
  },
  placeholder: {
    doc: "A text contains a template placeholder that was not filled in.",
    sent: "Templates use placeholders such as `${HOST}`, `{{ host }}` and `<your-domain>`; people use `CHANGE_ME` and `YOUR_DOMAIN`. No client sends them.",
    example: {
      allow: "any(http.request.headers['Origin'], # == 'https://${SHOP_HOST}')",
      fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
    },
    find({ part, operator, text }) {
      const found = placeholderIn(text, part);
      if (operator === "matches" || found === undefined) return undefined;
      const isAddress = part === "Origin" || part === "Referer";
      const value = isAddress ? "shop.example" : "value";
      const shows = text.replaceAll(found, value);
      return {
        message: `${found} stands for a value that was not filled in, as ${quote(shows)} would be`,
        shows,
        fix: "write the intended value",
      };
    },
  },
  "typographic-sign": {
    doc: "A text has a typographic sign or a full-width letter instead of an ASCII character.",
    sent: "Word processors and chat programs replace typed quotes and hyphens by \u201c \u201d \u2019 \u2013. Browsers and tools send the ASCII characters (RFC 9110, 5.5).",
    unless: ["invisible-character", "mixed-script"],
    example: {
      deny: "http.user_agent.string startsWith 'python\u2013requests/'",
    },
    find(comparison) {
      const { text, operator } = comparison;
      const right = inAscii(text);
      if (operator === "matches" || right === text) return undefined;
      const [sign = ""] = text.match(TYPOGRAPHIC_SIGN) ?? [];
      return {
        message: `${sign} is written here instead of ${inAscii(sign)}; ${quote(right)} has none`,
        shows: valueOf(comparison, right),
        text: right,
      };
    },
  },
  "html-entity": {
    doc: "A text contains an HTML entity.",
    sent: "`&amp;` means `&` in a page. A header is not HTML.",
    example: { deny: "http.user_agent.string contains 'Search&amp;Rescue'" },
    find(comparison) {
      const { text, operator } = comparison;
      const right = text.replace(new RegExp(ENTITY, "gi"), signOf);
      return operator === "matches" || right === text
        ? undefined
        : {
            message: `headers are no HTML; a client sends ${quote(right)}`,
            shows: valueOf(comparison, right),
            text: right,
          };
    },
  },
  "missing-as-text": {
    doc: "A field is compared with a text that logs and programs write for a missing value.",
    sent: 'A field that the client did not send is the empty text, not `-`, `null` or `undefined` (docs/contract.md, "Expression language").',
    of: [
      "http.user_agent.string",
      "sdk.version",
      "sdk.platform.app_package_name",
    ],
    example: { deny: "http.user_agent.string == '-'" },
    find: ({ text, operator }) =>
      (operator === "==" || operator === "in") && WRITTEN_FOR_MISSING.test(text)
        ? {
            message: `a field that was not sent is '', and not ${quote(text)}`,
            shows: "",
            text: "",
          }
        : undefined,
  },
};
