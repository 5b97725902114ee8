/** One statement of docs/contract.md. */
export interface Statement {
  /** The IDs that stand in it, as in `limits-7`. It should be one. */
  readonly ids: readonly string[];
  /** As the page writes it. */
  readonly text: string;
  readonly line: number;
}

const ID = /<!--(?<id>[a-z]+-\d+)-->/;
/** The line above an interface or a type of a block of code. */
const ID_ABOVE = /^\/\/ ([a-z]+-\d+)$/;

/** Sections that say how to read the page, and nothing about the service. */
const ABOUT_THE_PAGE = ["Marks", "Sources"];

const MARK = /\[(?:contract|(?:public|assumption): [^\]]+)\]/;
/** A full stop or semicolon behind a mark, with another mark to come. */
const CUT = new RegExp(
  `(?<=${MARK.source}(?:<!--[^>]*-->)?)[.;] (?=.*${MARK.source})`,
);
const ASIDE = /<!--.*?-->|\[(?:contract|public: [^\]]+)\]/g;
/** What only leads to what stands below it. */
const INTRODUCTION = /^(?:[^.]*:|covers the table|)$/;

/**
 * The statements of a page like docs/contract.md, from top to bottom:
 *
 * - each row of a table;
 * - each item of a list, and each paragraph with a mark; both are cut where a mark
 *   ends a sentence or a clause;
 * - each interface and type of a block of code, by its name.
 */
export function statementsOf(markdown: string): Statement[] {
  const statements: Statement[] = [];
  const lines = markdown.split("\n");
  let section = "";
  let isInTable = false;
  let isInCode = false;
  for (const [at, line] of lines.entries()) {
    const add = (text: string, ids: readonly string[] = idsOf(text)) =>
      statements.push({ ids, text, line: at + 1 });
    const isRow = line.startsWith("|");
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    if (line.startsWith("```")) isInCode = !isInCode;

    if (section === "" || ABOUT_THE_PAGE.includes(section)) continue;
    if (isInCode) {
      const name = /^(?:interface|type) \w+/.exec(line)?.[0];
      const above = ID_ABOVE.exec(lines[at - 1] ?? "")?.slice(1);
      if (name) add(name, above ?? []);
    } else if (isRow) {
      // The first row holds the names of the columns.
      if (isInTable && !line.startsWith("| -")) add(line);
    } else if (!line.startsWith("#")) {
      const item = /^ *(?:-|\d+\.) (.*)/.exec(line)?.[1];
      for (const text of (item ?? line).split(CUT))
        if (item ?? MARK.test(line)) if (!isIntroduction(text)) add(text);
    }
    isInTable = isRow;
  }
  return statements;
}

/** Every ID of a page, wherever it stands. */
export function idsOf(markdown: string): string[] {
  const above = new RegExp(ID_ABOVE, "gm");
  const found = [
    ...markdown.matchAll(new RegExp(ID, "g")),
    ...markdown.matchAll(above),
  ];
  return found.flatMap(([, id]) => id ?? []);
}

function isIntroduction(text: string): boolean {
  const words = text.replaceAll(ASIDE, "").replace(/[\s,;.]+$/, "");
  return INTRODUCTION.test(words.trim());
}
