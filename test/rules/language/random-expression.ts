import fc from "fast-check";
import { FIELDS, FUNCTIONS, OPERATORS } from "@devid/rules/language";
import { headerName, word } from "./random-request";
import { pick, wordOf } from "./random-words";

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
const space = pick(" ", " ", " ", "\n", "  ", "\t", " /* c */ ", " // c\n");

type Text = fc.Arbitrary<string>;
const join = (...parts: (string | Text)[]): Text =>
  fc
    .tuple(
      ...parts.map((part) =>
        typeof part === "string" ? fc.constant(part) : part,
      ),
    )
    .map((texts) => texts.join(""));

/** Expressions of the documented language. */
export const documented: Text = fc.letrec<{ boolean: string; string: string }>(
  (tie) => ({
    string: fc.oneof(
      quoted,
      stringField,
      join(headerList, "[0]"),
      join(headerList, "[", integer, "]"),
    ),
    boolean: fc.oneof(
      { maxDepth: 5, depthIdentifier: "documented" },
      booleanField,
      join(tie("string"), space, pick("==", "!="), space, tie("string")),
      join(
        tie("string"),
        " ",
        pick("contains", "not contains"),
        " ",
        tie("string"),
      ),
      join(tie("string"), " matches ", pattern),
      join(
        fc.oneof(integer, float),
        pick(...comparisons),
        fc.oneof(integer, float),
      ),
      join("http.request.ip in cidr(", network, ")"),
      join("!", booleanField),
      join("!(", tie("boolean"), ")"),
      join("(", tie("boolean"), ")"),
      join(tie("boolean"), space, pick("&&", "||"), space, tie("boolean")),
    ),
  }),
).boolean;

/** Expressions of everything that is supported. A few have mistakes. */
export const supported: Text = fc.letrec<
  Record<"boolean" | "string" | "number" | "list", string>
>((tie) => ({
  list: fc.oneof(
    { maxDepth: 2, depthIdentifier: "list" },
    headerList,
    headerList,
    join("http.request.headers.", pick("Origin", "Referer")),
    join("[", quoted, ", ", quoted, ",]"),
    join("filter(", tie("list"), ", ", tie("boolean"), ")"),
    join("(", tie("list"), " ?? ", pick("[]", "['a']", "nil"), ")"),
    join("(", tie("list"), " ?? ", tie("list"), ")"),
    join("(", tie("boolean"), " ? ", tie("list"), " : ", tie("list"), ")"),
    pick("[]", "['a', 'b']"),
  ),
  string: fc.oneof(
    { maxDepth: 3, depthIdentifier: "string" },
    quoted,
    stringField,
    pick("#", "#", "#"),
    join(tie("list"), "[", tie("number"), "]"),
    join(pick(...namesOf(FUNCTIONS, "text")), "(", tie("string"), ")"),
    join("trim(", tie("string"), ", ", tie("string"), ")"),
    join(
      "(",
      tie("boolean"),
      " ? ",
      tie("string"),
      " : ",
      fc.oneof(tie("string"), pick("nil")),
      ")",
    ),
    join("(", tie("string"), " ?? ", tie("string"), ")"),
    join("((", tie("string"), ") ?? (", tie("string"), "))"),
  ),
  number: fc.oneof(
    { maxDepth: 2, depthIdentifier: "number" },
    integer,
    integer,
    float,
    join(
      "len(",
      fc.oneof(tie("string"), tie("list"), pick("http.request.headers")),
      ")",
    ),
    join("count(", tie("list"), ", ", tie("boolean"), ")"),
    join("(", tie("boolean"), " ? ", tie("number"), " : nil)"),
    join(pick("-", "+"), tie("number")),
    join("((", tie("number"), ") ?? ", tie("number"), ")"),
  ),
  boolean: fc.oneof(
    { maxDepth: 4, depthIdentifier: "boolean" },
    booleanField,
    pick("true", "false"),
    join(tie("string"), " ", pick(...comparisons), " ", tie("string")),
    join(
      tie("string"),
      " ",
      pick(...textOperators, ...textOperators.map((name) => `not ${name}`)),
      " ",
      tie("string"),
    ),
    join(tie("string"), pick(" matches ", " not matches "), pattern),
    join(tie("number"), " ", pick(...comparisons), " ", tie("number")),
    join(
      tie("number"),
      pick("<", ">="),
      tie("number"),
      pick("<", ">", ">=", "<="),
      tie("number"),
    ),
    join("http.request.ip ", pick("in", "not in"), " cidr(", network, ")"),
    join(tie("string"), pick(" in ", " not in "), tie("list")),
    // Header names with unusual capitals are left out: docs/assumptions.md, A39.
    join(
      fc.oneof(quoted, pick("#", "sdk.version", "nil")),
      pick(" in ", " not in "),
      "http.request.headers",
    ),
    join(tie("number"), " in [", integer, ", ", integer, "]"),
    join(fc.oneof(tie("list"), tie("string")), pick(" == ", " != "), "nil"),
    join(tie("list"), " == ", tie("list")),
    join(
      pick(...booleanQuantifiers),
      "(",
      tie("list"),
      ", ",
      tie("boolean"),
      ")",
    ),
    join("(", tie("boolean"), ")"),
    join(pick("!", "not "), tie("boolean")),
    join(tie("boolean"), pick(" && ", " || ", " and ", " or "), tie("boolean")),
    join(
      tie("boolean"),
      " ? ",
      tie("boolean"),
      " : ",
      fc.oneof(tie("boolean"), pick("nil")),
    ),
    join("(", tie("boolean"), " ?: ", tie("boolean"), ")"),
    // Without brackets, `??` would bind only a part of its left side.
    join("((", tie("boolean"), ") ?? (", tie("boolean"), "))"),
    join(pick("!", ""), "(", tie("boolean"), ") ?? ", pick("true", "false")),
    join(
      tie("string"),
      pick(" < ", " >= "),
      tie("string"),
      pick(" < ", " <= "),
      tie("string"),
    ),
    join(tie("boolean"), pick(" == ", " != "), tie("boolean")),
    join(
      "any(",
      headerList,
      ", ",
      tie("boolean"),
      ") || any(",
      headerList,
      ", ",
      tie("boolean"),
      ")",
    ),
    join(
      "count(",
      tie("list"),
      ", ",
      tie("boolean"),
      ")",
      pick(">", ">=", "<", "<="),
      integer,
    ),
  ),
})).boolean;

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
