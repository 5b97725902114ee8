import type {
  Comparison,
  FieldDifference,
  ObjectDifference,
} from "./comparison";

/** The signs of differences, as they stand at the start of a line. */
export const DIFFERENCE_SIGNS: Readonly<
  Record<ObjectDifference["change"], string>
> = { removed: "-", added: "+", changed: "~" };

/** A value of a field in a report; texts in quotes, nothing as `none`. */
export function shownValue(value: FieldDifference["before"]): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

/** How many differences there are: `3 differences: 1 removed, 1 changed, 1 rule set`. */
export function countDifferences({ objects, ruleSets }: Comparison): string {
  const kinds = (["removed", "changed", "added"] as const).flatMap((kind) => {
    const count = objects.filter(({ change }) => change === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const sets = ruleSets.length;
  if (sets > 0)
    kinds.push(`rules of ${sets} environment${sets > 1 ? "s" : ""}`);
  const total = objects.length + sets;
  return `${total} difference${total > 1 ? "s" : ""}: ${kinds.join(", ")}`;
}
