/** A row of the table. */
interface Row<Kind extends string, Name extends string = string> {
  readonly kind: Kind;
  /** How the operator is written. */
  readonly name: Name;
  /** A second spelling, a word: `and` for `&&`. */
  readonly word?: string;
  /** One sentence for the reference page. */
  readonly doc: string;
  /** An expression that uses it. */
  readonly example: string;
}

/** An operator between two operands. The higher its precedence, the tighter it binds. */
interface Infix<Kind extends string, Name extends string = string> extends Row<
  Kind,
  Name
> {
  readonly precedence: number;
  /** Whether `not` may stand in front of it, as in `not in`. */
  readonly isNegatable?: boolean;
}

/** `&&` or `||`. Partial evaluation and the solver follow it into both operands. */
interface LogicalOperatorRow extends Infix<"logical", "&&" | "||"> {
  /** The value of one operand that settles the result. */
  readonly decides: boolean;
}

interface EqualityOperatorRow extends Infix<"equality", "==" | "!="> {
  readonly isNegated: boolean;
}

/** An operator that compares by order. Each is `<`, with its operands swapped, its result negated, or both. */
export interface OrderOperatorRow extends Infix<
  "order",
  "<" | ">" | "<=" | ">="
> {
  readonly isSwapped: boolean;
  readonly isNegated: boolean;
}

/** An operator between two texts. It is false if either text is nil. */
export interface TextOperatorRow extends Infix<"text"> {
  /** Where the text on its left contains the one on its right. */
  readonly place: PartPlace;
}

/** Where a text contains another one. */
export type PartPlace = "anywhere" | "start" | "end";

/** Whether a text has a part at a place. */
export const HAS_PART: Readonly<
  Record<PartPlace, (text: string, part: string) => boolean>
> = {
  anywhere: (text, part) => text.includes(part),
  start: (text, part) => text.startsWith(part),
  end: (text, part) => text.endsWith(part),
};

/** One row of the table of operators. */
export type Operator =
  | LogicalOperatorRow
  | EqualityOperatorRow
  | OrderOperatorRow
  /** `in`: an address in a network, a name among headers, a value in a list. */
  | Infix<"membership", "in">
  /** `matches`: a text against a pattern. */
  | Infix<"pattern", "matches">
  | TextOperatorRow
  | Row<"prefix", "!" | "-" | "+">
  /** `??` and `? :`, which the parser reads by rules of their own. */
  | Row<"choice", "??" | "? :">;

/** An operator between two operands. */
export type InfixOperator = Extract<Operator, { readonly precedence: number }>;

/** An operator between two operands, apart from logic and order: those of a binary node. */
export type BinaryOperatorRow = Exclude<
  InfixOperator,
  LogicalOperatorRow | OrderOperatorRow
>;

const COMPARISON = { precedence: 20 } as const;
const WORD = { precedence: 20, isNegatable: true } as const;

/**
 * Every operator of the language. The lexer, the parser, the checker, the
 * compiler, partial evaluation, the solver, the reference page and the random
 * tests read this table. docs/contract.md, "Expression language";
 * docs/assumptions.md, A38.
 */
export const OPERATORS = [
  {
    kind: "logical",
    name: "||",
    word: "or",
    precedence: 10,
    decides: true,
    doc: "True if either operand is true. The right operand is evaluated only if the left operand is false.",
    example: "sdk.platform.is_ios || sdk.platform.is_android",
  },
  {
    kind: "logical",
    name: "&&",
    word: "and",
    precedence: 15,
    decides: false,
    doc: "True if both operands are true. The right operand is evaluated only if the left operand is true.",
    example: "sdk.platform.is_browser && http.user_agent.is_ai_bot",
  },
  {
    ...COMPARISON,
    kind: "equality",
    name: "==",
    isNegated: false,
    doc: "Whether two values are equal. Letter case counts.",
    example: "sdk.platform.name == 'js'",
  },
  {
    ...COMPARISON,
    kind: "equality",
    name: "!=",
    isNegated: true,
    doc: "Whether two values differ.",
    example: "sdk.version != ''",
  },
  {
    ...COMPARISON,
    kind: "order",
    name: "<",
    isSwapped: false,
    isNegated: false,
    doc: "Whether a number is smaller than another, or a text comes before another.",
    example: "len(http.user_agent.string) < 20",
  },
  {
    ...COMPARISON,
    kind: "order",
    name: ">",
    isSwapped: true,
    isNegated: false,
    doc: "Whether a number is greater than another, or a text comes after another.",
    example: "len(http.user_agent.string) > 500",
  },
  {
    ...COMPARISON,
    kind: "order",
    name: "<=",
    isSwapped: true,
    isNegated: true,
    doc: "Whether a number is at most another, or a text does not come after another.",
    example: "len(http.request.headers) <= 3",
  },
  {
    ...COMPARISON,
    kind: "order",
    name: ">=",
    isSwapped: false,
    isNegated: true,
    doc: "Whether a number is at least another, or a text does not come before another. A chain compares neighbours: `1 < x <= 5`.",
    example: "len(http.user_agent.string) >= 20",
  },
  {
    ...WORD,
    kind: "membership",
    name: "in",
    doc: "Whether an address lies in `cidr('...')`, a header of this name was sent, or a list has a value.",
    example: "'Origin' not in http.request.headers",
  },
  {
    ...WORD,
    kind: "text",
    name: "contains",
    place: "anywhere",
    doc: "Whether a text contains another text. Letter case counts.",
    example: "http.user_agent.string contains 'HeadlessChrome'",
  },
  {
    ...WORD,
    kind: "pattern",
    name: "matches",
    doc: "Whether a regular expression matches anywhere in a text. The pattern is a literal string in RE2 syntax.",
    example: "http.user_agent.string matches '(?i)bot'",
  },
  {
    ...WORD,
    kind: "text",
    name: "startsWith",
    place: "start",
    doc: "Whether a text begins with another text.",
    example: "sdk.version startsWith '3.'",
  },
  {
    ...WORD,
    kind: "text",
    name: "endsWith",
    place: "end",
    doc: "Whether a text ends with another text.",
    example: "http.request.headers['Origin'][0] endsWith '.example.com'",
  },
  {
    kind: "prefix",
    name: "!",
    word: "not",
    doc: "The opposite of a boolean.",
    example: "!sdk.platform.is_browser",
  },
  {
    kind: "prefix",
    name: "-",
    doc: "The negative of a number.",
    example: "http.request.headers['Accept'][-1] == '*/*'",
  },
  {
    kind: "prefix",
    name: "+",
    doc: "A number as it is.",
    example: "len(sdk.version) > +1",
  },
  {
    kind: "choice",
    name: "??",
    doc: "The left operand, or the right operand if the left operand is nil. It binds tighter than every operator between two operands.",
    example: "len(http.request.headers['Accept'] ?? []) > 1",
  },
  {
    kind: "choice",
    name: "? :",
    doc: "One of two values, chosen by a condition. `a ?: b` is short for `a ? a : b`.",
    example:
      "sdk.platform.is_browser ? http.user_agent.is_ai_bot : sdk.version == ''",
  },
] as const satisfies readonly Operator[];

type NameOf<Kind extends Operator["kind"]> = Extract<
  (typeof OPERATORS)[number],
  { readonly kind: Kind }
>["name"];

/** The operators between two texts. */
export type TextOperator = NameOf<"text">;

/** Operators between two operands, apart from logic and order. */
export type BinaryOperator =
  | NameOf<"equality" | "membership" | "pattern">
  | TextOperator;

/** Operators of order; a chain of them compares each operand with its neighbour. */
export type OrderOperator = NameOf<"order">;

/** Operators in front of one operand. */
export type PrefixOperatorName = NameOf<"prefix">;

/** Operators of expr-lang that the service's language lacks. */
export const FOREIGN_OPERATORS: ReadonlySet<string> = new Set(
  "+ - * / % ** ^ .. | ; ?. ::".split(" "),
);

/** Words of expr-lang that the service's language lacks, and that no name may be. */
export const FOREIGN_WORDS = ["let", "if", "else"] as const;
