import { diffRules, type Rule } from "@devid/sdk/rules";
import { fromService } from "../../resources/filtering-rule-set/rule-set-state";
import { comparedObjects, type ComparedObject } from "./compared-object";
import type {
  Comparison,
  FieldDifference,
  ObjectDifference,
  RuleSetDifference,
} from "./comparison";
import { pairEnvironments, type TitleOf } from "./pair-environments";
import { pairUp, type Pair } from "./pair-up";
import type { Selection } from "../read/selection";

/** One of two workspaces, or parts of them, that are compared. */
export interface ComparedSide {
  /** What it is called in the result. */
  readonly name: string;
  readonly selection: Selection;
}

/**
 * What differs between two workspaces, objects told by their names: IDs are
 * mapped by the names of environments, and two single environments are compared
 * whatever they are called. Rules are compared by what they mean.
 */
export function compareWorkspaces(
  before: ComparedSide,
  after: ComparedSide,
): Comparison {
  const titles = pairEnvironments(before.selection, after.selection);
  const sides = [before.selection, after.selection];
  // The default environment has what the service gave it, and is no copy of another.
  const isDefault = sides.some(
    ({ only, workspace }) => only?.id === workspace.defaultEnvironment.id,
  );
  const compared = (selection: Selection, titleOf: TitleOf) =>
    comparedObjects(selection, titleOf).filter(
      ({ what }) => !isDefault || what !== "environment",
    );
  const pairs = pairUp(
    compared(before.selection, titles.before),
    compared(after.selection, titles.after),
    ({ what, name }) => `${what} ${name}`,
    likeness,
  );
  return {
    before: before.name,
    after: after.name,
    objects: pairs.flatMap(differenceOf),
    ruleSets: ruleSetDifferences(
      rulesByEnvironment(before.selection, titles.before),
      rulesByEnvironment(after.selection, titles.after),
    ),
  };
}

/** How many fields are equal; being in the same environment counts most. */
function likeness(a: ComparedObject, b: ComparedObject): number {
  const equal = Object.keys(a.fields).filter(
    (field) => a.fields[field] === b.fields[field],
  );
  const isSamePlace = a.environment === b.environment;
  return equal.length + (isSamePlace ? Object.keys(a.fields).length + 1 : 0);
}

function differenceOf({
  before,
  after,
}: Pair<ComparedObject>): ObjectDifference[] {
  const object = after ?? before;
  if (!object) return [];
  const { what, name, environment } = object;
  const place = { what, name, environment };
  if (!before) return [{ change: "added", ...place }];
  if (!after) return [{ change: "removed", ...place }];
  const fields = fieldDifferences(before, after);
  return fields.length === 0 ? [] : [{ change: "changed", ...place, fields }];
}

function fieldDifferences(
  before: ComparedObject,
  after: ComparedObject,
): FieldDifference[] {
  const was = { environment: before.environment, ...before.fields };
  const is = { environment: after.environment, ...after.fields };
  return Object.keys(was).flatMap((field) => {
    const name = field as keyof typeof was;
    return was[name] === is[name]
      ? []
      : [{ field, before: was[name], after: is[name] }];
  });
}

function ruleSetDifferences(
  was: ReadonlyMap<string, readonly Rule[]>,
  is: ReadonlyMap<string, readonly Rule[]>,
): RuleSetDifference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((environment) => {
    const diff = diffRules(
      was.get(environment) ?? [],
      is.get(environment) ?? [],
    );
    return diff.changes.length === 0 ? [] : [{ environment, diff }];
  });
}

function rulesByEnvironment(
  { workspace }: Selection,
  titleOf: TitleOf,
): Map<string, readonly Rule[]> {
  return new Map(
    workspace.ruleSets.map(({ environment, rules }) => [
      titleOf(environment) ?? environment,
      fromService(rules),
    ]),
  );
}
