import {
  Composer,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  Parser,
  YAMLParseError,
  type CST,
  type Document,
  type DocumentOptions,
  type ParseOptions,
  type SchemaOptions,
} from "yaml";
import type { Span } from "../language";

/** Lists and maps within each other, in a file that people write. */
const MAX_DEPTH = 100;
/** Anchors and aliases of a file, together. */
const MAX_ANCHORS = 1_000;
/** Fields of one map. */
const MAX_FIELDS = 1_000;

/** YAML that would take too long to read, or more stack than there is. */
export class YamlLimitError extends Error {
  override readonly name = "YamlLimitError";

  /** @param span where the limit is passed, in UTF-16 units of the text */
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

/**
 * Parses YAML or JSON of a stranger, which is one document. Depth, anchors and aliases are
 * counted while it is read, because a parser takes half a minute for a megabyte of brackets.
 * Messages of errors have no place and no full stop.
 * @throws YamlLimitError
 */
export function parseYaml(
  text: string,
  options?: ParseOptions & DocumentOptions & SchemaOptions,
): Document {
  try {
    // Node would print the library's warnings, of keys that are maps, beside our report.
    const limits = { logLevel: "error", uniqueKeys: false } as const;
    const composer = new Composer({ ...options, ...limits });
    const [document, other] = composer.compose(
      tokensOf(text),
      true,
      text.length,
    );
    if (!document) throw new Error("YAML read no document");
    if (other)
      document.errors.push(
        new YAMLParseError(
          [other.range[0], other.range[1]],
          "MULTIPLE_DOCS",
          "Another document begins here",
        ),
      );
    checkFields(document.contents, document.errors);
    return document;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeep({ offset: 0, length: 0 });
  }
}

/**
 * Adds an error for each key that a map has twice. The library would compare each key with all
 * others, a minute for 30,000 of them.
 * @throws YamlLimitError for a map with too many keys
 */
function checkFields(node: unknown, errors: Document["errors"]): void {
  if (!isCollection(node)) return;
  const values = new Set<unknown>();
  for (const [index, item] of node.items.entries()) {
    const { key, value } = isPair(item) ? item : { value: item };
    checkFields(key, errors);
    checkFields(value, errors);
    if (!isScalar(key) || !isMap(node)) continue;
    const [start = 0, end = start] = key.range ?? [];
    if (index === MAX_FIELDS)
      throw new YamlLimitError(
        `there are more than ${MAX_FIELDS} fields in one map`,
        { offset: start, length: end - start },
      );
    if (values.has(key.value))
      errors.push(
        new YAMLParseError(
          [start, start + 1],
          "DUPLICATE_KEY",
          "Map keys must be unique",
        ),
      );
    values.add(key.value);
  }
}

const tooDeep = (span: Span) =>
  new YamlLimitError(
    `lists and fields are nested in each other more than ${MAX_DEPTH} times`,
    span,
  );

/** The mark that the lexer puts in front of a text. */
const SCALAR = "\u001f";
/** The marks of the lexer for the beginning of a document, a flow and a text. They are not in the source. */
const MARKS = new Set(["\u0002", "\u0018", SCALAR]);

/** A stretch of YAML as its lexer reads it. */
interface Lexeme {
  readonly text: string;
  readonly offset: number;
  /** Whether it is a text, in which `#` begins no comment. */
  readonly isScalar: boolean;
}

/** The lexemes of a YAML text, in its order. */
export function* lexemesOf(source: string): Generator<Lexeme> {
  let offset = 0;
  let before = "";
  for (const text of new Lexer().lex(source)) {
    if (!MARKS.has(text)) {
      yield { text, offset, isScalar: before === SCALAR };
      offset += text.length;
    }
    before = text;
  }
}

/** The tokens of a YAML text up to a limit. @throws YamlLimitError */
function* tokensOf(source: string): Generator<CST.Token> {
  const parser = new Parser();
  /** Open brackets, and the items that begin on this line: `- - - a`. */
  let flows = 0;
  let items = 0;
  let anchors = 0;
  for (const lexeme of new Lexer().lex(source)) {
    if (lexeme === "[" || lexeme === "{") flows++;
    // One without an opening bracket closes nothing.
    else if (lexeme === "]" || lexeme === "}") flows = Math.max(0, flows - 1);
    else if (lexeme === "-" || lexeme === "?") items++;
    else if (/^[&*]./.test(lexeme)) anchors++;
    else if (lexeme.includes("\n")) items = 0;
    const span = { offset: parser.offset, length: lexeme.length };
    if (flows + items > MAX_DEPTH) throw tooDeep(span);
    if (anchors > MAX_ANCHORS)
      throw new YamlLimitError(
        `there are more than ${MAX_ANCHORS} anchors and aliases; write the values out`,
        span,
      );
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}
