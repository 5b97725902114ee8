import type { KindsOf } from "../../children-first";
import type { RuleSetDiff } from "../../diff/rule-change";
import { visibleText } from "./visible-text";

/** A text of a report. What comes from rules, events, files or the service is in it as `code`. */
export type Prose = string;

// No visible text has these characters.
const [START, END] = ["\u0002", "\u0003"];
const CODE = new RegExp(`${START}([^${END}]*)${END}`);

/**
 * Makes a text part of a `Prose`, such that no printer can take it for markup. An empty
 * text becomes `""`, because nothing would look like a missing value.
 */
export const code = (text: string): Prose =>
  START + (visibleText(text) || '""') + END;

/** Prints the parts of a `Prose`: our own words, and the texts that are code. */
export const mapProse = (
  prose: Prose,
  own: (text: string) => string,
  ofCode: (text: string) => string,
): string =>
  prose
    .split(CODE)
    .map((part, i) => (i % 2 === 1 ? ofCode(part) : own(part)))
    .join("");

/** Prints a `Prose` as visible text. */
export const plain = (prose: Prose): string =>
  mapProse(prose, (own) => own.replaceAll("\n", "; "), String);

/** A column of a table. */
export interface Column {
  readonly name: Prose;
  readonly isNumber?: true;
  /** Whether it has bars, which only a page shows. */
  readonly isPicture?: true;
  /** Whether a terminal shows only the beginning of a long text. */
  readonly isCut?: true;
}

/** A share of the largest value, drawn as a bar. */
export interface Bar {
  readonly value: number;
  readonly of: number;
  /** Whether it shows what was before the change. */
  readonly isBefore?: true;
}

/** A cell of a table; a line end in a text begins a new line. */
export type Cell = Prose | readonly Bar[];

/** A table of a report. */
export type Table = Extract<Block, { kind: "table" }>;

/** The risk of a change with its reasons, at the top of a report. */
export type Summary = Extract<Block, { kind: "summary" }>;

/** A part of the time range of a chart. */
export interface ChartPeriod {
  /** RFC 3339, UTC. */
  readonly start: string;
  readonly events: number;
  readonly deniedBefore: number;
  readonly deniedAfter: number;
}

/** What reports are made of; every printer prints every kind. */
export type Block = KindsOf<BlockKinds>;

interface BlockKinds {
  title: { text: Prose; below: readonly Prose[] };
  heading: { text: Prose };
  /** A page shows a quiet one small. */
  text: { text: Prose; isQuiet?: true };
  /** A line end in an item begins a new line. `noun`: what an item is, in the plural. */
  list: { items: readonly Prose[]; noun: string };
  table: {
    /** Chooses the widths of columns on a page. */
    name?: "changes" | "rules" | "values";
    columns: readonly Column[];
    rows: readonly (readonly Cell[])[];
    /** What a row is, in the plural. */
    noun: string;
  };
  changes: {
    changes: RuleSetDiff["changes"];
    /** Edits of one expression that are shown outside of a terminal; default: all. */
    maxEdits?: number;
  };
  /** Visible texts that keep their lines. */
  lines: { items: readonly string[]; noun: string };
  /** A part of which a comment shows only the title, until a reader opens it. */
  fold: {
    title: Prose;
    blocks: readonly Block[];
    /** Where it is open. */
    openIn: readonly ("text" | "page")[];
  };
  summary: {
    risk: "low" | "medium" | "high";
    phrases: readonly Prose[];
    note?: Prose;
    /** Plain lines. */
    failure?: string;
    reasons: readonly Prose[];
    conditions: readonly Prose[];
  };
  /** Denied events over time, on a page. */
  chart: {
    periods: readonly ChartPeriod[];
    range: { readonly start: string; readonly end: string };
  };
}

/** A paragraph; none for an empty text. */
export const text = (prose: Prose, isQuiet?: true): Block[] =>
  prose === ""
    ? []
    : [{ kind: "text", text: prose, ...(isQuiet && { isQuiet }) }];

/** A list; none without items. */
export const list = (items: readonly Prose[], noun: string): Block[] =>
  items.length === 0 ? [] : [{ kind: "list", items, noun }];

/** Texts that keep their lines; none without items. */
export const lines = (items: readonly string[], noun: string): Block[] =>
  items.length === 0 ? [] : [{ kind: "lines", items, noun }];

export const heading = (prose: Prose): Block => ({
  kind: "heading",
  text: prose,
});

/** A table; none without rows. A column without properties is only its name. */
export const table = (
  columns: readonly (Column | Prose)[],
  rows: Table["rows"],
  noun: string,
  name?: Table["name"],
): Block[] =>
  rows.length === 0
    ? []
    : [
        {
          kind: "table",
          ...(name && { name }),
          columns: columns.map((column) =>
            typeof column === "string" ? { name: column } : column,
          ),
          rows,
          noun,
        },
      ];

/** A table as a text shows it, without the columns that only a page shows. */
export function withoutPictures(of: Table): Table {
  const isShown = (_: unknown, i: number) => !of.columns[i]?.isPicture;
  return {
    ...of,
    columns: of.columns.filter(isShown),
    rows: of.rows.map((row) => row.filter(isShown)),
  };
}

/** A part that is folded except where `openIn` says; none without blocks. */
export const fold = (
  title: Prose,
  blocks: readonly Block[],
  ...openIn: readonly ("text" | "page")[]
): Block[] =>
  blocks.length === 0 ? [] : [{ kind: "fold", title, blocks, openIn }];

/** Sentences with blanks between them, without those that are empty. */
export const sentences = (...texts: readonly Prose[]): Prose =>
  texts.filter((each) => each !== "").join(" ");

/** The risk as a heading: `High risk`. */
export const gradeOf = ({ risk }: Pick<Summary, "risk">): string =>
  `${risk.charAt(0).toUpperCase()}${risk.slice(1)} risk`;
