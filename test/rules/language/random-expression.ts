import fc from "fast-check";
import { FIELDS, FUNCTIONS, OPERATORS } from "@devid/rules/language";
import { headerName, word } from "./random-request";
import { grammar, pick, wordOf } from "./random-words";

const quoted = word.chain((text) =>
  fc.constantFrom(
    ...["'", '"'].map(
      (quote) =>
        quote +
        text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) +
        quote,
    ),
    `\`${text}\``,
  ),
);
const integer = wordOf(
  "0 1 2 3 -1 0x1 0b10 0o3 1_0 9007199254740993 9007199254740992 9223372036854775807",
);
const float = wordOf("1.0 0.5 .5 1e2 2. 9007199254740992.0");
const network = wordOf(
  "'10.1.2.3/8' '203.0.113.0/24' '::/0' '0.0.0.0/0' '::ffff:10.0.0.0/104' '2001:db8::/32'",
);
const pattern = wordOf(
  String.raw`'^a' '(?i)BOT' 'bot|crawler' '^https://([a-z]+\\.)?shop' '[[:alpha:]]+' '^.$' '\\bbot' 'a{1,3}$' '\\p{L}' '^$'`,
);
// The names come from the tables, so that a new row is tested as well.
const fieldOf = (type: "boolean" | "string") =>
  fc.constantFrom(
    ...FIELDS.filter((field) => field.type === type).map(({ name }) => name),
  );
const stringField = fieldOf("string");
const booleanField = fieldOf("boolean");
const namesOf = (
  rows: readonly { readonly kind: string; readonly name: string }[],
  ...kinds: readonly string[]
) => rows.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
const textOperators = namesOf(OPERATORS, "text");
const comparisons = namesOf(OPERATORS, "equality", "order");
const booleanQuantifiers = FUNCTIONS.filter(
  (row) => row.kind === "quantifier" && row.result === "boolean",
).map(({ name }) => name);
const headerList = headerName.map((name) => `http.request.headers['${name}']`);

/** What the grammars are made of. A choice is repeated to come more often. */
const LEAVES = {
  ...{ quoted, integer, float, network, pattern, stringField, booleanField },
  ...{ headerList, comparison: pick(...comparisons) },
  space: pick(" ", " ", " ", "\n", "  ", "\t", " /* c */ ", " // c\n"),
  equality: pick("==", "!="),
  order: pick("<", ">", ">=", "<="),
  atMost: pick("<", "<="),
  lessOrNot: pick("<", ">="),
  logical: pick("&&", "||"),
  word: pick("&&", "||", "and", "or"),
  literal: pick("true", "false"),
  not: pick("", "not "),
  "!": pick("!", ""),
  negation: pick("!", "not "),
  sign: pick("-", "+"),
  nil: fc.constant("nil"),
  headers: fc.constant("http.request.headers"),
  someText: pick("#", "sdk.version", "nil"),
  someHeader: pick("Origin", "Referer"),
  default: pick("[]", "['a']", "nil"),
  someList: pick("[]", "['a', 'b']"),
  textFunction: pick(...namesOf(FUNCTIONS, "text")),
  textOperator: pick(...textOperators),
  quantifier: pick(...booleanQuantifiers),
};

type Text = fc.Arbitrary<string>;
const booleanOf = (blocks: string): Text =>
  grammar(blocks, LEAVES).boolean ?? fc.constant("");

/** Expressions of the documented language. */
export const documented: Text = booleanOf(`
string
{quoted}
{stringField}
{headerList}[0]
{headerList}[{integer}]

boolean 5
{booleanField}
{string}{space}{equality}{space}{string}
{string} {not}contains {string}
{string} matches {pattern}
{integer|float}{comparison}{integer|float}
http.request.ip in cidr({network})
!{booleanField}
!({boolean})
({boolean})
{boolean}{space}{logical}{space}{boolean}
`);

/**
 * Expressions of everything that is supported. A few have mistakes. Header names with
 * unusual capitals are left out: docs/assumptions.md, A39. Without brackets, `??` would bind
 * only a part of its left side.
 */
export const supported: Text = booleanOf(`
list 2
{headerList}
{headerList}
http.request.headers.{someHeader}
[{quoted}, {quoted},]
filter({list}, {boolean})
({list} ?? {default})
({list} ?? {list})
({boolean} ? {list} : {list})
{someList}

string 3
{quoted}
{stringField}
#
{list}[{number}]
{textFunction}({string})
trim({string}, {string})
({boolean} ? {string} : {string|nil})
({string} ?? {string})
(({string}) ?? ({string}))

number 2
{integer}
{integer}
{float}
len({string|list|headers})
count({list}, {boolean})
({boolean} ? {number} : nil)
{sign}{number}
(({number}) ?? {number})

boolean 4
{booleanField}
{literal}
{string} {comparison} {string}
{string} {not}{textOperator} {string}
{string} {not}matches {pattern}
{number} {comparison} {number}
{number}{lessOrNot}{number}{order}{number}
http.request.ip {not}in cidr({network})
{string} {not}in {list}
{quoted|someText} {not}in http.request.headers
{number} in [{integer}, {integer}]
{list|string} {equality} nil
{list} == {list}
{quantifier}({list}, {boolean})
({boolean})
{negation}{boolean}
{boolean} {word} {boolean}
{boolean} ? {boolean} : {boolean|nil}
({boolean} ?: {boolean})
(({boolean}) ?? ({boolean}))
{!}({boolean}) ?? {literal}
{string} {lessOrNot} {string} {atMost} {string}
{boolean} {equality} {boolean}
any({headerList}, {boolean}) || any({headerList}, {boolean})
count({list}, {boolean}){order}{integer}
`);

/** Tokens of the language in any order: nearly none of it parses. */
export const soup: Text = fc
  .array(
    fc.oneof(
      pick(
        ..."! not - + && || == != < > <= >= in contains ?? ? : ( ) [ ] , . # any all len trim nil true ' \" ` 1 0x .5 e2 not in { } ; ?. .. | ^ % let if cidr // /* \\".split(
          " ",
        ),
      ),
      quoted,
      stringField,
      booleanField,
      headerList,
      integer,
    ),
    { minLength: 1, maxLength: 9 },
  )
  .chain((tokens) => pick("", " ").map((glue) => tokens.join(glue)));

/** A supported expression in which one character was dropped, doubled or changed. */
export const damaged: Text = fc
  .tuple(
    supported,
    fc.nat(),
    pick("", "(", "'", " ", "!", "1", ".", "[", "&", "="),
  )
  .map(([text, at, replacement]) => {
    const place = at % text.length;
    return text.slice(0, place) + replacement + text.slice(place + 1);
  });
