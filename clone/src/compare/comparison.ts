import type { RuleSetDiff } from "@devid/rules";
import {
  code,
  diffBlocks,
  list,
  printMarkdown,
  printText,
  text,
  type Block,
} from "@devid/rules/internals";

/** A field that differs, with its value on both sides, JSON. A side without a value is absent. */
export interface FieldDifference {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The IDs of an object on both sides. A side that lacks the object is absent. */
export interface BothIds {
  readonly before?: string;
  readonly after?: string;
}

/** An object that only one side has, or that differs between the sides. */
export interface ObjectDifference {
  readonly change: "removed" | "added" | "changed";
  /** What reports call such an object: `API key`. */
  readonly what: string;
  /** Its name or address; parts of an address that may be secret are masked. */
  readonly name: string;
  readonly ids: BothIds;
  /** Name of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  /** Absent unless the object is changed. */
  readonly fields?: readonly FieldDifference[];
}

/** The rules of an environment whose meaning differs. */
export interface RuleSetDifference {
  readonly environment: string;
  /** IDs of the environment. A side without rules there is absent. */
  readonly ids: BothIds;
  readonly diff: RuleSetDiff;
}

/** A kind of objects that one side does not have, because the service did not list it. */
export interface NotCompared {
  /** What reports call such objects: `filtering rules`. */
  readonly what: string;
  readonly side: string;
  /** What the service answered. */
  readonly reason: string;
}

/**
 * The differences between two workspaces, as plain data for JSON. IDs are shown. IDs,
 * dates and secrets are not compared.
 */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly objects: readonly ObjectDifference[];
  readonly ruleSets: readonly RuleSetDifference[];
  /** The kinds of which no object was compared. */
  readonly notCompared: readonly NotCompared[];
}

/** Whether a comparison found no difference in what it compared. */
const hasNoDifference = ({ objects, ruleSets }: Comparison): boolean =>
  objects.length === 0 && ruleSets.length === 0;

/** Whether everything was compared, and no difference was found. */
export const isSame = (comparison: Comparison): boolean =>
  hasNoDifference(comparison) && comparison.notCompared.length === 0;

/** Formats comparisons, one after another. */
export function formatComparison(
  comparisons: readonly Comparison[],
  format: "text" | "markdown",
  { color }: { readonly color?: boolean } = {},
): string {
  const blocks = comparisons.flatMap(comparisonBlocks);
  return format === "markdown"
    ? printMarkdown(blocks)
    : printText(blocks, { color });
}

function comparisonBlocks(comparison: Comparison): Block[] {
  const { before, after, objects, ruleSets, notCompared } = comparison;
  const read: Block[] = [
    { kind: "title", text: `${code(before)} -> ${code(after)}`, below: [] },
    ...notCompared.flatMap(({ what, side, reason }) =>
      text(
        `Not compared: ${what}, because those of ${code(side)} could not be read: ${code(reason)}`,
      ),
    ),
  ];
  if (hasNoDifference(comparison)) {
    const rest = notCompared.length > 0 ? " in what was compared" : "";
    return [...read, ...text(`No differences${rest}.`)];
  }
  return [
    ...read,
    ...list(objects.map(objectLines), "objects"),
    ...ruleSets.flatMap(({ environment, ids, diff }): Block[] => [
      {
        kind: "heading",
        text: `Rules of ${code(environment)} (${code(shownIds(ids))})`,
      },
      ...diffBlocks(diff, { before, after }),
    ]),
    ...text(`${countDifferences(comparison)}.`),
  ];
}

function objectLines(object: ObjectDifference): string {
  const { change, what, name, ids, environment, fields = [] } = object;
  const place = environment === undefined ? "" : `, in ${code(environment)}`;
  return [
    `${change} ${what} ${code(name)}${place} (${code(shownIds(ids))})`,
    ...fields.map(
      ({ field, before, after }) =>
        `${field} ${code(shownValue(before))} -> ${code(shownValue(after))}`,
    ),
  ].join("\n");
}

/** The value of a field in a report: JSON, or `none`. */
const shownValue = (value: unknown) =>
  value === undefined ? "none" : JSON.stringify(value);

/** The IDs of an object in words: `ae_1 -> ae_2`, or the only one. */
function shownIds({ before, after }: BothIds): string {
  const known = [before, after].filter((id) => id !== undefined);
  return [...new Set(known)].join(" -> ");
}

/** The number of differences in words: `3 differences: 1 removed, 1 changed, rules of 1 environment`. */
function countDifferences({ objects, ruleSets }: Comparison): string {
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
