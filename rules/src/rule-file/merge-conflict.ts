/** A line that git leaves where it could not merge. */
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?\r?$/gm;

/** Where the first marker of a merge conflict stands, in UTF-16 units; undefined where there is none. */
export function mergeConflictIn(text: string): number | undefined {
  const offset = text.search(MARKER);
  return offset < 0 ? undefined : offset;
}

/** A text without the markers, and so with both sides of every conflict. */
export function withoutConflictMarkers(text: string): string {
  return text.replace(MARKER, "");
}
