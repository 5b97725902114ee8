import ts from "typescript";

/** A test of a file, as the file writes it. */
interface WrittenTest {
  /** The titles of the `describe`s around it and its own, as in `pages > take sizes`. */
  readonly title: string;
  /** Matches the titles that it runs under: each place of `it.each` stands for a text. */
  readonly pattern: RegExp;
}

/** What `it.each` puts a value for. */
const PLACE = /%[sdifjo#]|%\.\d+s|\$[\w.]+/;

/** The tests of one source that run, found without running it. */
export class TestTitles {
  private readonly tests: WrittenTest[] = [];
  /** The source but for the titles in it: where the rows of `it.each` stand. */
  private rest: string;

  constructor(source: string) {
    this.rest = source;
    const { Latest } = ts.ScriptTarget;
    this.collect(ts.createSourceFile("source.ts", source, Latest), []);
    // A title has 43200 for the number that is written 43_200.
    this.rest = this.rest.replaceAll(/(?<=\d)_(?=\d{3})/g, "");
  }

  /**
   * Whether a test runs under this title: the one that is written, or with `it.each`
   * that of one of its rows. Each word of the row has to stand in the source.
   */
  has(title: string): boolean {
    return this.tests.some((test) => {
      if (test.title === title) return !isOnlyPlace(title);
      const values = test.pattern.exec(title)?.slice(1).join(" ") ?? "";
      const words = values.match(/\w+/g) ?? [values];
      return values !== "" && words.every((word) => this.rest.includes(word));
    });
  }

  private collect(node: ts.Node, around: readonly string[]): void {
    const call = calledTest(node);
    if (call) this.rest = withoutRange(this.rest, call.title);
    const text = call && writtenTitle(call.title);
    const titles = text === undefined ? around : [...around, text];
    const isGroup = call?.name === "describe" && call.runs;
    if (!call || isGroup)
      ts.forEachChild(node, (child) => this.collect(child, titles));
    else if (call.runs && text !== undefined) {
      const title = titles.join(" > ");
      const parts = title.split(new RegExp(PLACE, "g")).map(escaped);
      const pattern = new RegExp(`^${parts.join("(.+)")}$`, "s");
      this.tests.push({ title, pattern });
    }
  }
}

/** A call of `describe`, `it` or `test`; with `.skip` and the like it does not run. */
function calledTest(node: ts.Node) {
  if (!ts.isCallExpression(node)) return undefined;
  const [title] = node.arguments;
  let { expression: called } = node;
  let runs = true;
  // The call that takes the rows of `it.each` has no title.
  if (ts.isCallExpression(called)) called = called.expression;
  else if (ts.isPropertyAccessExpression(called) && isEach(called))
    return undefined;
  if (ts.isPropertyAccessExpression(called)) {
    runs = isEach(called);
    called = called.expression;
  }
  if (!title || !ts.isIdentifier(called)) return undefined;
  const { text: name } = called;
  if (!["describe", "it", "test"].includes(name)) return undefined;
  return { name, title, runs };
}

const isEach = ({ name }: ts.PropertyAccessExpression) =>
  ["each", "for"].includes(name.text);

function withoutRange(source: string, { pos, end }: ts.Node): string {
  return source.slice(0, pos) + " ".repeat(end - pos) + source.slice(end);
}

/** A text; in a template each value counts as a place of `it.each`. */
function writtenTitle(title: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return undefined;
  const rest = title.templateSpans.map(({ literal }) => `%s${literal.text}`);
  return title.head.text + rest.join("");
}

/** Whether a title, or its last part, names no test: any row has it. */
function isOnlyPlace(title: string): boolean {
  const own = title.split(" > ").at(-1) ?? "";
  return own.replaceAll(new RegExp(PLACE, "g"), "").trim() === "";
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
