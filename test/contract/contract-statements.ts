/** One statement of docs/contract.md. */
export interface Statement {
  /** The headings above it, as in `Management API > Pagination`. */
  readonly heading: string;
  /** Its words; the cells of a table's row stand between bars. */
  readonly text: string;
  readonly line: number;
}

/** Sections that say how to read the page, and nothing about the service. */
const ABOUT_THE_PAGE = ["Marks", "Sources"];

const MARK = /\[(?:contract|(?:public|assumption): [^\]]+)\]/;
/** A full stop or semicolon behind a mark, with another mark to come. */
const CUT = new RegExp(`(?<=${MARK.source})[.;] (?=.*${MARK.source})`);
const SOURCES = / *\[(?:contract|public: [^\]]+)\]/g;
const ASSUMPTIONS = /\[assumption: [^\]]+\]/g;
const LINKS = /\[([^\]]+)\]\([^)]*\)/g;
/** A last sentence that only leads to what stands below it. */
const INTRODUCTION = /(?:^|\. )[^.]*:$|^covers the table$/;

/**
 * The statements of a page like docs/contract.md, from top to bottom:
 *
 * - each row of a table;
 * - each item of a list, and each paragraph with a mark; both are cut where a mark
 *   ends a sentence or a clause;
 * - each interface and type of a block of code, by its name.
 *
 * Links, and marks other than the numbers of assumptions, are left out.
 */
export function statementsOf(markdown: string): Statement[] {
  const statements: Statement[] = [];
  const headings: string[] = [];
  let header: string[] | undefined;
  let first = "";
  let inCode = false;
  for (const [at, line] of markdown.split("\n").entries()) {
    const add = (words: string) => {
      const text = plain(words);
      const [section = ""] = headings;
      if (text === "" || section === "" || ABOUT_THE_PAGE.includes(section))
        return;
      statements.push({ heading: headings.join(" > "), text, line: at + 1 });
    };
    if (!line.startsWith("|")) header = undefined;

    if (line.startsWith("```")) {
      inCode = !inCode;
    } else if (inCode) {
      const name = /^(?:interface|type) \w+/.exec(line)?.[0];
      if (name) add(name);
    } else if (/^#{2,4} /.test(line)) {
      const depth = line.indexOf(" ") - 2;
      headings.splice(depth, Infinity, line.slice(depth + 3));
    } else if (!line.startsWith("|")) {
      const item = /^ *(?:-|\d+\.) (.*)/.exec(line)?.[1];
      const sentences = item ?? (MARK.test(line) ? line : "");
      for (const sentence of sentences.split(CUT)) if (sentence) add(sentence);
    } else if (header === undefined) {
      header = cellsOf(line);
    } else if (!/^\| -/.test(line)) {
      const cells = cellsOf(line);
      // An empty first cell stands for the one above it.
      first = cells[0] ||= first;
      const marks = header.indexOf("Mark");
      if (marks >= 0)
        cells[marks] = cells[marks]?.match(ASSUMPTIONS)?.join(" ") ?? "";
      add(cells.filter(Boolean).join(" | "));
    }
  }
  return statements;
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim());
}

function plain(words: string): string {
  return words
    .replaceAll(SOURCES, "")
    .replaceAll(LINKS, "$1")
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s,;.]+/, "")
    .replace(/[\s,;.]+$/, "")
    .replace(INTRODUCTION, "");
}
