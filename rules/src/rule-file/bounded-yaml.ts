import {
  Lexer,
  parseDocument,
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
 * Parses YAML or JSON of a stranger. Depth, anchors and aliases are counted before the
 * text is parsed, because a parser takes half a minute for a megabyte of brackets.
 * @throws YamlLimitError
 */
export function parseYaml(
  text: string,
  options?: ParseOptions & DocumentOptions & SchemaOptions,
): Document {
  refuseEndless(text);
  try {
    // Node would print the library's warnings, of keys that are maps, beside our report.
    return parseDocument(text, { logLevel: "error", ...options });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeep({ offset: 0, length: 0 });
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

function refuseEndless(source: string): void {
  const count = (sign: RegExp) => source.match(sign)?.length ?? 0;
  // Most files have so few signs that no limit can be passed.
  if (count(/[[{?-]/g) <= MAX_DEPTH && count(/[&*]/g) <= MAX_ANCHORS) return;
  /** Open brackets, and the items that begin on this line: `- - - a`. */
  let flows = 0;
  let items = 0;
  let anchors = 0;
  for (const { text: token, offset } of lexemesOf(source)) {
    const span = { offset, length: token.length };
    if (token === "[" || token === "{") flows++;
    // One without an opening bracket closes nothing.
    else if (token === "]" || token === "}") flows = Math.max(0, flows - 1);
    else if (token === "-" || token === "?") items++;
    else if (/^[&*]./.test(token)) anchors++;
    else if (token.includes("\n")) items = 0;
    if (flows + items > MAX_DEPTH) throw tooDeep(span);
    if (anchors > MAX_ANCHORS)
      throw new YamlLimitError(
        `there are more than ${MAX_ANCHORS} anchors and aliases; write the values out`,
        span,
      );
  }
}
