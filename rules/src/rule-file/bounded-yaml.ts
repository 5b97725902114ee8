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
    return parseDocument(text, options);
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

/** By these characters the lexer marks the beginning of a document, a flow and a text. */
const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);

function refuseEndless(text: string): void {
  let offset = 0;
  /** Open brackets, and the items that begin on this line: `- - - a`. */
  let flows = 0;
  let items = 0;
  let anchors = 0;
  for (const token of new Lexer().lex(text)) {
    const span = { offset, length: token.length };
    if (token === "[" || token === "{") flows++;
    else if (token === "]" || token === "}") flows--;
    else if (token === "-" || token === "?") items++;
    else if (/^[&*]./.test(token)) anchors++;
    else if (token.includes("\n")) items = 0;
    if (flows + items > MAX_DEPTH) throw tooDeep(span);
    if (anchors > MAX_ANCHORS)
      throw new YamlLimitError(
        `there are more than ${MAX_ANCHORS} anchors and aliases; write the values out`,
        span,
      );
    if (!MARKS.has(token)) offset += token.length;
  }
}
