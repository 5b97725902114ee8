import { changesTable } from "./describe/describe-diff";
import {
  codeMarkdown,
  codeFence,
  codeSpan,
  tableRow,
} from "./markdown/markdown";
import {
  gradeOf,
  mapProse,
  withoutPictures,
  type Block,
  type Cell,
  type Column,
  type Prose,
  type Summary,
} from "./describe/block";
import { barText } from "./print-text";

/** The longest comment that GitHub takes, in characters. */
const LONGEST_COMMENT = 65_536;

const BAR_WIDTH = 20;

/**
 * Prints a report as a comment of at most 65,536 characters. Headings and paragraphs are
 * always whole; lists, tables and lines say what they leave out if there is no room. The
 * result ends with a newline.
 */
export function printMarkdown(
  blocks: readonly Block[],
  {
    marker,
    spare = 0,
  }: {
    /** The first line, by which a later run finds the comment. */
    readonly marker?: string;
    /** Characters that the caller will add, and that are left free. */
    readonly spare?: number;
  } = {},
): string {
  const first = marker === undefined ? "" : `${marker}\n`;
  const room = LONGEST_COMMENT - spare - characterCount(first);
  return `${(first + fitSections(blocks.flatMap(sectionsOf), room)).trimEnd()}\n`;
}

/** A part of a comment. Its last items may be left out if there is too little room. */
interface Section {
  /** Text that is always shown. */
  readonly title?: string;
  /** Text before the items; left out if all items are. */
  readonly head?: string;
  readonly items?: readonly string[];
  readonly noun?: string;
  /** Whether an empty line separates the items. */
  readonly isSpaced?: boolean;
}

function sectionsOf(block: Block): Section[] {
  switch (block.kind) {
    case "title": {
      const below = block.below.map((line) => `\n\n${own(line)}`).join("");
      return [{ title: `### ${own(block.text)}${below}` }];
    }
    case "heading":
      return [{ title: `#### ${own(block.text)}` }];
    case "text":
      return [{ title: own(block.text) }];
    case "list": {
      const items = block.items.map((item) => `- ${own(item)}`);
      return [{ items, noun: block.noun }];
    }
    case "table": {
      const { columns, rows, noun } = withoutPictures(block);
      const items = rows.map((row) => tableRow(row.map(cellMarkdown)));
      return [{ head: headOf(columns), items, noun }];
    }
    case "changes":
      return sectionsOf(changesTable(block));
    case "lines":
      return [
        { items: block.items.map(codeFence), noun: block.noun, isSpaced: true },
      ];
    case "fold":
      return [
        { title: `<details><summary>${own(block.title)}</summary>` },
        ...block.blocks.flatMap(sectionsOf),
        { title: "</details>" },
      ];
    case "summary":
      return [{ title: summaryMarkdown(block) }];
    case "chart":
      return [];
  }
}

function summaryMarkdown(summary: Summary): string {
  const { note, failure, phrases, reasons, conditions } = summary;
  const lines = [...reasons, ...conditions].map((line) => `- ${own(line)}`);
  return [
    `**${gradeOf(summary)}** · ${phrases.map(own).join(" · ")}`,
    ...(note === undefined ? [] : [`Note: ${own(note)}`]),
    ...(failure === undefined ? [] : [codeFence(failure)]),
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
  ].join("\n\n");
}

const own = (prose: Prose) =>
  mapProse(prose, (text) => text.replaceAll("\n", "<br>"), codeMarkdown);

function cellMarkdown(cell: Cell): string {
  if (typeof cell === "string") return own(cell);
  const bars = cell.map((each) => barText(each, BAR_WIDTH)).join("");
  return bars && codeSpan(bars);
}

const headOf = (columns: readonly Column[]) =>
  [
    tableRow(columns.map(({ name }) => own(name))),
    tableRow(columns.map(({ isNumber }) => (isNumber ? "--:" : "---"))),
  ].join("\n");

/** Counts characters as GitHub does, in code points. */
const characterCount = (text: string): number => [...text].length;

/**
 * Fits the sections into `room` characters; an empty line ends each of them. Titles are
 * always shown, even if they exceed the room. If what they leave is too small for the items,
 * every section gets an equal share of it, and a section that needs less leaves the rest to
 * the others. A shortened section says how many items it leaves out.
 */
function fitSections(sections: readonly Section[], room: number): string {
  const sized = sections.map((section) => {
    const whole = render(section);
    const need = characterCount(whole);
    const least = Math.min(need, characterCount(render(section, 0)));
    return { section, whole, least, more: need - least };
  });
  const left = sized.reduce((rest, { least }) => rest - least, room);
  const shares = sharesOf(
    sized.map(({ more }) => more),
    Math.max(0, left),
  );
  return sized
    .map(({ section, whole, least, more }, i) => {
      const { [i]: share = 0 } = shares;
      return more <= share ? whole : cut(section, least + share);
    })
    .join("");
}

/**
 * The length that each section gets. A section gets an equal share of the room, or less
 * if it needs less. The others share the rest.
 */
function sharesOf(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  const smallestFirst = [...needs.entries()].sort(([, a], [, b]) => a - b);
  let left = room;
  for (const [served, [index, need]] of smallestFirst.entries()) {
    const share = Math.floor(left / (needs.length - served));
    shares[index] = Math.min(need, share);
    left -= Math.min(need, share);
  }
  return shares;
}

/** Leaves out the last items of a section until it fits. */
function cut(section: Section, room: number): string {
  const { items = [] } = section;
  const [first = ""] = items;
  let used = characterCount(render(section, 1)) - characterCount(first);
  let shown = 0;
  for (const item of items) {
    used += characterCount(item) + 2;
    if (used > room) break;
    shown += 1;
  }
  return render(section, shown);
}

function render(
  { title, head, items = [], noun, isSpaced }: Section,
  shown = items.length,
): string {
  const left = items.length - shown;
  const lines = title === undefined ? [] : [title, ""];
  if (shown > 0)
    lines.push(
      ...(head === undefined ? [] : [head]),
      items.slice(0, shown).join(isSpaced ? "\n\n" : "\n"),
      "",
    );
  if (left > 0)
    lines.push(
      `**${left} of ${items.length} ${noun} are left out here, because there is no room.**`,
      "",
    );
  return lines.map((line) => `${line}\n`).join("");
}
