import type { RuleSetDiff } from "@devid/rules";

/** A field of an object that differs, with its values, JSON; an absent side has none. */
export interface FieldDifference {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** An object that one workspace has and the other has not, or has otherwise. */
export interface ObjectDifference {
  readonly change: "removed" | "added" | "changed";
  /** What it is, in words: `API key`. */
  readonly what: string;
  /** What it is called; of an address, nothing that may be secret. */
  readonly name: string;
  /** Name of the environment that it belongs to; absent for one of the whole workspace. */
  readonly environment?: string;
  /** Of a changed object. */
  readonly fields?: readonly FieldDifference[];
}

/** The rules of an environment, where they differ in meaning. */
export interface RuleSetDifference {
  /** Name of the environment. */
  readonly environment: string;
  readonly diff: RuleSetDiff;
}

/** What differs between two workspaces: plain data, which may go through JSON. IDs, dates and secrets make no difference. */
export interface Comparison {
  /** What the two are called. */
  readonly before: string;
  readonly after: string;
  readonly objects: readonly ObjectDifference[];
  readonly ruleSets: readonly RuleSetDifference[];
}

/** Whether the two are the same. */
export const isSame = ({ objects, ruleSets }: Comparison): boolean =>
  objects.length === 0 && ruleSets.length === 0;

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
