type Names = Readonly<Record<string, unknown>>;

/** The names of the program's resources by kind. */
type Declared = ReadonlyMap<string, ReadonlySet<string>>;

/** A message lists at most this many names of resources. */
const MAX_NAMES = 10;

/** A message for each resource that a setting `overrides` names and the program does not declare. */
export function unusedOverrides(
  setting: string,
  overrides: unknown,
  declared: Declared,
): string[] {
  return Object.entries(namesIn(overrides)).flatMap(([kind, resources]) => {
    const names = [...(declared.get(kind) ?? [])].sort();
    const more = names.length - MAX_NAMES;
    const shown = names.slice(0, MAX_NAMES).join(", ");
    const has =
      names.length === 0
        ? `It declares no ${kind}.`
        : `Its resources of this kind are ${shown}${more > 0 ? ` and ${more} more` : ""}.`;
    return Object.keys(namesIn(resources))
      .filter((name) => !names.includes(name))
      .map(
        (name) =>
          `The setting ${setting} has no effect for ${kind} ${JSON.stringify(name)}, which the program does not declare. ${has} Correct the name, or remove it from the setting.`,
      );
  });
}

/** The members of an object; none for a value of another form, which the check refuses. */
const namesIn = (value: unknown): Names =>
  typeof value === "object" && value !== null ? (value as Names) : {};

/** The setting `overrides` in stack config. */
export function overridesInText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // The check refuses the setting.
    return undefined;
  }
}
