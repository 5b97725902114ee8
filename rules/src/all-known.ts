/** The parts, if each of them is known; undefined if one is not. */
export function allKnown<Part>(
  parts: readonly (Part | undefined)[],
): Part[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known : undefined;
}
