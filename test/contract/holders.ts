import ts from "typescript";

/** A test, or a row of its `it.each`, that covers statements of docs/contract.md. */
export interface Holder {
  /** The line of its first comment `// contract: limits-7, agent-2`. */
  readonly line: number;
  readonly ids: readonly string[];
}

const COMMENT = /^ *\/\/ contract: (.*)$/gm;

/**
 * The tests and rows of a source that name statements, found without running the
 * source. `astray` has the lines of comments that are not directly above a test that
 * runs, or above one of its rows.
 */
export function holdersOf(source: string): {
  readonly holders: readonly Holder[];
  readonly astray: readonly number[];
} {
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest);
  const lineAt = (at: number) =>
    file.getLineAndCharacterOfPosition(at).line + 1;
  const comments = (from: number, to: number) =>
    [...source.slice(from, to).matchAll(COMMENT)].map((match) => ({
      line: lineAt(from + match.index),
      ids: match[1]?.split(", ") ?? [],
    }));

  const holders: Holder[] = [];
  const read = new Set<number>();
  const hold = (node: ts.Node) => {
    const above = comments(node.pos, node.getStart(file));
    const [first] = above;
    if (!first) return;
    for (const { line } of above) read.add(line);
    holders.push({ line: first.line, ids: above.flatMap(({ ids }) => ids) });
  };

  const declared = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer)
      declared.set(node.name.getText(file), node.initializer);
    const call = calledTest(node);
    if (call && !call.runs) return;
    if (!call || call.name === "describe") return ts.forEachChild(node, visit);
    hold(node);
    for (const row of rowsOf(call.rows, declared)) hold(row);
  };
  visit(file);
  const lines = comments(0, source.length).map(({ line }) => line);
  return { holders, astray: lines.filter((line) => !read.has(line)) };
}

/** A call of `describe`, `it` or `test`. With `.skip` and similar it does not run. */
function calledTest(node: ts.Node) {
  if (!ts.isCallExpression(node)) return undefined;
  let { expression: called } = node;
  let rows: ts.Expression | undefined;
  let runs = true;
  if (ts.isCallExpression(called)) {
    [rows] = called.arguments;
    called = called.expression;
  } else if (ts.isPropertyAccessExpression(called) && isEach(called))
    // In `it.each(rows)(title)`, the call with the rows is part of the call with the
    // title.
    return undefined;
  if (ts.isPropertyAccessExpression(called)) {
    runs = isEach(called);
    called = called.expression;
  }
  if (!ts.isIdentifier(called)) return undefined;
  const { text: name } = called;
  if (!["describe", "it", "test"].includes(name)) return undefined;
  return { name, rows, runs };
}

const isEach = ({ name }: ts.PropertyAccessExpression) =>
  ["each", "for"].includes(name.text);

/** The rows of `it.each`, if they are written in place or in a constant above. */
function rowsOf(
  rows: ts.Expression | undefined,
  declared: ReadonlyMap<string, ts.Expression>,
): readonly ts.Expression[] {
  if (!rows) return [];
  if (ts.isIdentifier(rows)) return rowsOf(declared.get(rows.text), declared);
  if (ts.isAsExpression(rows) || ts.isSatisfiesExpression(rows))
    return rowsOf(rows.expression, declared);
  return ts.isArrayLiteralExpression(rows) ? rows.elements : [];
}
