const notes = new Map<string, string[]>();

/**
 * Keeps what a policy left open about a resource, by its URN. The engine asks
 * the policies about a resource one after the other, `not-checked` last.
 */
export function addNote(urn: string, note: string): void {
  notes.set(urn, [...(notes.get(urn) ?? []), note]);
}

/** What was left open about a resource; forgotten from then on. */
export function takeNotes(urn: string): readonly string[] {
  const found = notes.get(urn) ?? [];
  notes.delete(urn);
  return found;
}
