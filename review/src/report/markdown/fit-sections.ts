/**
 * A part of a comment. Its last items may be left out if there is too little
 * room.
 */
export interface Section {
  /** Its heading, if it has one; it is always shown. */
  readonly title?: string;
  /** Text before the items; left out if all items are. */
  readonly head?: string;
  /** Default: none. */
  readonly items?: readonly string[];
  /** Text after the items; it is always shown. */
  readonly end?: string;
  /** What the items are, in the plural. */
  readonly noun?: string;
  /** Whether an empty line separates the items. */
  readonly isSpaced?: boolean;
}

/** Folds a section, so that a reader sees only its title until they open it. */
export function foldedSection(section: Section): Section {
  return {
    ...section,
    title: `<details><summary>${section.title ?? ""}</summary>`,
    end: "</details>",
  };
}

/** Counts characters as GitHub does, in code points. */
export const characterCount = (text: string): number => [...text].length;

/**
 * Fits the sections into `room` characters; an empty line ends each of them. If
 * the room is too small, every section gets an equal share, and a section that
 * needs less leaves the rest to the others. A shortened section says how many
 * items it leaves out. Headings are always shown, even if they exceed the room.
 */
export function fitSections(
  sections: readonly Section[],
  room: number,
): string {
  const whole = sections.map((section) => render(section));
  const shares = sharesOf(whole.map(characterCount), room);
  return sections
    .map((section, i) => {
      const [text = "", share = 0] = [whole[i], shares[i]];
      return characterCount(text) <= share ? text : cut(section, share);
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
  { title, head, items = [], end, noun, isSpaced }: Section,
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
  if (end !== undefined) lines.push(end, "");
  return lines.map((line) => `${line}\n`).join("");
}
