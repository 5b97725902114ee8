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
export interface Table {
  readonly kind: "table";
  /** Chooses the widths of columns on a page. */
  readonly name?: "changes" | "rules" | "values";
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a row is, in the plural. */
  readonly noun: string;
}

/** The risk of a change with its reasons, at the top of a report. */
export interface Summary {
  readonly kind: "summary";
  readonly risk: "low" | "medium" | "high";
  readonly phrases: readonly Prose[];
  readonly note?: Prose;
  /** Plain lines. */
  readonly failure?: string;
  readonly reasons: readonly Prose[];
  readonly conditions: readonly Prose[];
}

/** A part of the time range of a chart. */
export interface ChartPeriod {
  /** RFC 3339, UTC. */
  readonly start: string;
  readonly events: number;
  readonly deniedBefore: number;
  readonly deniedAfter: number;
}

/** What reports are made of; every printer prints every kind. */
export type Block =
  | {
      readonly kind: "title";
      readonly text: Prose;
      readonly below: readonly Prose[];
    }
  | { readonly kind: "heading"; readonly text: Prose }
  | {
      readonly kind: "text";
      readonly text: Prose;
      /** Whether a page shows it small. */
      readonly isQuiet?: true;
    }
  | {
      readonly kind: "list";
      /** A line end in an item begins a new line. */
      readonly items: readonly Prose[];
      /** What an item is, in the plural. */
      readonly noun: string;
    }
  | Table
  | {
      readonly kind: "changes";
      readonly changes: RuleSetDiff["changes"];
      /** Edits of one expression that are shown outside of a terminal; default: all. */
      readonly maxEdits?: number;
    }
  | {
      /** Visible texts that keep their lines. */
      readonly kind: "lines";
      readonly items: readonly string[];
      readonly noun: string;
    }
  | {
      /** A part of which a comment shows only the title, until a reader opens it. */
      readonly kind: "fold";
      readonly title: Prose;
      readonly blocks: readonly Block[];
      /** Where it is open. */
      readonly openIn: readonly ("text" | "page")[];
    }
  | Summary
  | {
      /** Denied events over time, on a page. */
      readonly kind: "chart";
      readonly periods: readonly ChartPeriod[];
      readonly range: { readonly start: string; readonly end: string };
    };

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
