import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A line of the table: a statement, and what holds it. */
export interface TableLine {
  readonly heading: string;
  readonly text: string;
  /** Where it stands: `test/contract/table/limits.md:12`. */
  readonly place: string;
  readonly tests: { readonly file: string; readonly title: string }[];
  /** Why no test can hold it here, as in `not tested (plan): ...`. */
  readonly untested: { readonly kind: string; readonly reason: string }[];
  /** What is neither. */
  readonly unread: string[];
}

export const TABLE = "test/contract/table";

/** The lines of all files of the table; each file holds one section of the page. */
export function readTable(): TableLine[] {
  const files = readdirSync(TABLE).sort();
  return files.flatMap((file) => readSection(join(TABLE, file)));
}

function readSection(path: string): TableLine[] {
  const lines: TableLine[] = [];
  const headings: string[] = [];
  for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const [, hashes, title] = /^(#+) (.*)/.exec(line) ?? [];
    const [, text] = /^- (.*)/.exec(line) ?? [];
    const [, holder] = /^ {2}- (.*)/.exec(line) ?? [];
    if (hashes && title) {
      headings.splice(hashes.length - 1, Infinity, title);
    } else if (text !== undefined) {
      const heading = headings.join(" > ");
      const place = `${path}:${at + 1}`;
      lines.push({ heading, text, place, tests: [], untested: [], unread: [] });
    } else if (holder !== undefined) {
      const of = lines.at(-1);
      const [, file, test] = /^([\w/-]+): (.+)/.exec(holder) ?? [];
      const [, kind, reason] = /^not tested \((.+?)\): (.+)/.exec(holder) ?? [];
      if (kind && reason) of?.untested.push({ kind, reason });
      else if (file && test) of?.tests.push({ file, title: test });
      else of?.unread.push(holder);
    }
  }
  return lines;
}
