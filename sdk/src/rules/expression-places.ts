import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
} from "yaml";

/** Where something stands in a rule file, both from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
  /** In UTF-16 units from the start of the file, from 0. */
  readonly offset: number;
  /** False where the file spells the expression in another way than it reads, folded or escaped: the place is then its start. */
  readonly exact: boolean;
}

/** Finds the place in the file of a character of a rule's expression. */
export type PlaceInFile = (offset: number) => FilePlace;

/** For each rule of a rule file's text, where its expression stands; `undefined` for a rule without one. */
export function expressionPlaces(
  text: string,
): readonly (PlaceInFile | undefined)[] {
  const lines = new LineCounter();
  const rules = parseDocument(text, { lineCounter: lines }).get("rules");
  if (!isSeq(rules)) return [];
  return rules.items.map((rule) => {
    const expression = isMap(rule) ? rule.get("expression", true) : undefined;
    if (!isScalar(expression)) return undefined;
    const offsetInFile = offsets(text, expression);
    return (offset) => {
      const found = offsetInFile(offset);
      const at = found ?? expression.range?.[0] ?? 0;
      const { line, col } = lines.linePos(at);
      return { line, column: col, offset: at, exact: found !== undefined };
    };
  });
}

/** Maps an offset in a scalar's value to one in the text; `undefined` where the two are spelt differently. */
function offsets(
  text: string,
  scalar: Scalar,
): (offset: number) => number | undefined {
  const [start = 0, end = 0] = scalar.range ?? [];
  const value = String(scalar.value);
  const source = text.slice(start, end);
  if (source === value) return (offset) => start + offset;
  if (source.slice(1, -1) === value) return (offset) => start + 1 + offset;
  if (scalar.type !== "BLOCK_LITERAL") return () => undefined;
  const body = text.indexOf("\n", start) + 1;
  const indent = /^ */.exec(text.slice(body))?.[0].length ?? 0;
  return (offset) => {
    const before = value.slice(0, offset).split("\n");
    let lineStart = body;
    for (let line = 1; line < before.length; line++)
      lineStart = text.indexOf("\n", lineStart) + 1;
    // An empty line of a block need not be indented.
    const indented = text[lineStart] === "\n" ? 0 : indent;
    return lineStart + indented + (before.at(-1)?.length ?? 0);
  };
}
