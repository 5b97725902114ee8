/** A part of a comment whose items may be left out from the end on, for want of room. */
export interface Section {
  /** Its heading, if it has one; stands whatever is left out. */
  readonly title?: string;
  /** Stands in front of the items, unless all are left out. */
  readonly open?: string;
  readonly items: readonly string[];
  /** Stands behind all of it. */
  readonly end?: string;
  /** What the items are, in the plural. */
  readonly noun: string;
  /** Whether an empty line stands between items. */
  readonly isSpaced?: boolean;
}

/** A section that shows its title only until somebody opens it. */
export function foldedSection(section: Section): Section {
  return {
    ...section,
    title: `<details><summary>${section.title ?? ""}</summary>`,
    end: "</details>",
  };
}

/** Characters as GitHub counts them: code points. */
export const characterCount = (text: string): number => [...text].length;

/**
 * The sections in at most `room` characters, each ending in an empty line. Where
 * there is too little for all, each gets an equal share, what one does not need
 * goes to the others, and it says how many of its items are left out. Headings
 * stand in any case, so a room that is too small for them is not kept to.
 */
export function fitSections(
  sections: readonly Section[],
  room: number,
): string {
  const whole = sections.map((section) =>
    render(section, section.items.length),
  );
  const shares = sharesOf(whole.map(characterCount), room);
  return sections
    .map((section, i) => {
      const [text = "", share = 0] = [whole[i], shares[i]];
      return characterCount(text) <= share ? text : cut(section, share);
    })
    .join("");
}

/** Divides the room so that whoever needs less than an equal share gets what it needs. */
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

/** The section without so many of its last items that it fits. */
function cut(section: Section, room: number): string {
  const [first = ""] = section.items;
  let used = characterCount(render(section, 1)) - characterCount(first);
  let shown = 0;
  for (const item of section.items) {
    used += characterCount(item) + 2;
    if (used > room) break;
    shown += 1;
  }
  return render(section, shown);
}

function render(
  { title, open, items, end, noun, isSpaced }: Section,
  shown: number,
): string {
  const left = items.length - shown;
  const lines = title === undefined ? [] : [title, ""];
  if (shown > 0)
    lines.push(
      ...(open === undefined ? [] : [open]),
      items.slice(0, shown).join(isSpaced ? "\n\n" : "\n"),
      "",
    );
  if (left > 0)
    lines.push(
      `**${left} of ${items.length} ${noun} are left out here for want of room.**`,
      "",
    );
  if (end !== undefined) lines.push(end, "");
  return lines.map((line) => `${line}\n`).join("");
}
