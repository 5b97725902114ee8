import { lower, trim, upper } from "../text/text";

/** A row of the table. */
interface Row<Kind extends string, Name extends string = string> {
  readonly kind: Kind;
  readonly name: Name;
  /** How it is called, for the reference page. */
  readonly call: string;
  readonly doc: string;
  /** An expression that uses it. */
  readonly example: string;
}

/** A function from a text to a text. It fails on nil. */
export interface TextFunctionRow extends Row<"text"> {
  /** The largest number of arguments, which are texts; at least one is required. */
  readonly mostArguments: 1 | 2;
  readonly apply: (text: string, second?: string) => string;
  /**
   * Present if applying the function twice is the same as applying it once: the solver
   * then reasons about its results for one argument. Otherwise it answers "cannot tell" for
   * conditions on its results.
   */
  readonly symbolic?: {
    /** Whether it maps each character independently of the others. */
    readonly isEachCharacter: boolean;
  };
}

/**
 * A function that asks whether some element of a list meets a condition. Each
 * one is "some element does", with the condition negated, the result negated,
 * or both.
 */
interface SomeQuantifierRow extends Row<"quantifier", "any" | "all" | "none"> {
  readonly result: "boolean";
  readonly negatesCondition: boolean;
  readonly negatesResult: boolean;
}

/** A function that collects or counts the elements that meet a condition. */
interface CollectingQuantifierRow extends Row<
  "quantifier",
  "filter" | "count"
> {
  readonly result: "list" | "integer";
}

/** One row of the table of functions. */
export type LanguageFunction =
  | TextFunctionRow
  /** The length of a text, a list or the headers. */
  | Row<"length", "len">
  /** A network, of a literal string. */
  | Row<"network", "cidr">
  | SomeQuantifierRow
  | CollectingQuantifierRow;

/**
 * Every function of the language. The parser, the checker, the compiler, the
 * solver, the reference page and the random tests read this table.
 * docs/assumptions.md, A38.
 */
export const FUNCTIONS = [
  {
    kind: "network",
    name: "cidr",
    call: "cidr('203.0.113.0/24')",
    doc: "The addresses of a network, for `in`. Its argument is a literal string.",
    example: "http.request.ip in cidr('203.0.113.0/24')",
  },
  {
    kind: "length",
    name: "len",
    call: "len(value)",
    doc: "The number of characters of a text, elements of a list, or headers of a request.",
    example: "len(http.user_agent.string) < 20",
  },
  {
    kind: "text",
    name: "lower",
    call: "lower(text)",
    mostArguments: 1,
    apply: (text) => lower(text),
    symbolic: { isEachCharacter: true },
    doc: "A text in lower case.",
    example: "lower(http.user_agent.string) contains 'bot'",
  },
  {
    kind: "text",
    name: "upper",
    call: "upper(text)",
    mostArguments: 1,
    apply: (text) => upper(text),
    symbolic: { isEachCharacter: true },
    doc: "A text in upper case.",
    example: "upper(sdk.platform.name) == 'JS'",
  },
  {
    kind: "text",
    name: "trim",
    call: "trim(text) or trim(text, characters)",
    mostArguments: 2,
    apply: trim,
    symbolic: { isEachCharacter: false },
    doc: "A text without the white space, or the given characters, at both ends.",
    example: "trim(http.user_agent.string) == ''",
  },
  {
    kind: "quantifier",
    name: "any",
    call: "any(list, condition)",
    result: "boolean",
    negatesCondition: false,
    negatesResult: false,
    doc: "Whether some element of a list meets a condition. `#` stands for the element.",
    example:
      "any(http.request.headers['Origin'] ?? [], # endsWith '.example.com')",
  },
  {
    kind: "quantifier",
    name: "all",
    call: "all(list, condition)",
    result: "boolean",
    negatesCondition: true,
    negatesResult: true,
    doc: "Whether every element of a list meets a condition.",
    example: "all(http.request.headers['Origin'] ?? [], # startsWith 'https')",
  },
  {
    kind: "quantifier",
    name: "none",
    call: "none(list, condition)",
    result: "boolean",
    negatesCondition: false,
    negatesResult: true,
    doc: "Whether no element of a list meets a condition.",
    example: "none(http.request.headers['Accept'] ?? [], # == '*/*')",
  },
  {
    kind: "quantifier",
    name: "filter",
    call: "filter(list, condition)",
    result: "list",
    doc: "The elements of a list that meet a condition.",
    example: "len(filter(http.request.headers['Accept'] ?? [], # != '')) > 1",
  },
  {
    kind: "quantifier",
    name: "count",
    call: "count(list, condition)",
    result: "integer",
    doc: "The number of elements of a list that meet a condition.",
    example:
      "count(http.request.headers['Accept'] ?? [], # contains 'html') > 0",
  },
] as const satisfies readonly LanguageFunction[];

type NameOf<Kind extends LanguageFunction["kind"]> = Extract<
  (typeof FUNCTIONS)[number],
  { readonly kind: Kind }
>["name"];

/** Functions from a text to a text. */
export type TextFunction = NameOf<"text">;

/** Functions that are called with values. */
export type FunctionName = NameOf<"length" | "network"> | TextFunction;

/** Functions that are called with a list and a condition for its elements. */
export type QuantifierName = NameOf<"quantifier">;
