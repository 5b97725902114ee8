/** One statement of docs/contract.md. */
export interface Statement {
  /** The IDs in the statement, such as `limits-7`. There should be one. */
  readonly ids: readonly string[];
  /** The text on the page. */
  readonly text: string;
  readonly line: number;
}

const ID = /<!--(?<id>[a-z]+-\d+)-->/;
/** The line above an interface or a type in a code block. */
const ID_ABOVE = /^\/\/ ([a-z]+-\d+)$/;

/** Sections about the page itself, not about the service. */
const ABOUT_THE_PAGE = ["Marks", "Sources"];

const MARK = /\[(?:contract|A\d+|@[^\]]+)\]/;
/** A full stop or semicolon after a mark, if another mark follows. */
const CUT = new RegExp(
  `(?<=${MARK.source}(?:<!--[^>]*-->)?)[.;] (?=.*${MARK.source})`,
);
const ASIDE = /<!--.*?-->|\[(?:contract|@[^\]]+)\]/g;
/** A text that only introduces the text below it. */
const INTRODUCTION = /^(?:[^.]*:|covers|)$/;

/**
 * The statements of a page like docs/contract.md, from top to bottom:
 *
 * - each row of a table;
 * - each item of a list, and each paragraph with a mark. Both are split where a mark
 * ends a sentence or a clause;
 * - each interface and type of a code block, by its name.
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

/** Every ID on a page. */
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
