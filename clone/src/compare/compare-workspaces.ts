import { maskUrls } from "@devid/sdk";
import { diffRules, type Rule } from "@devid/rules";
import { changedFields, identityOf, mapParts } from "@devid/pulumi/definitions";
import { ENVIRONMENT, KINDS } from "../read/clone-kinds";
import { environmentOf, objectsOf } from "../read/workspace";
import {
  comparedObjects,
  type ComparedObject,
  type TitleOf,
} from "./compared-object";
import type {
  Comparison,
  ObjectDifference,
  RuleSetDifference,
} from "./comparison";
import { pairEnvironments } from "./pair-environments";
import { pairUp, type Pair } from "./pair-up";
import type { Selection } from "../read/selection";

/** One side of a comparison: a workspace or a part of one. */
export interface ComparedSide {
  readonly name: string;
  readonly selection: Selection;
}

/**
 * Compares two workspaces. Objects with the same name are compared with each other. If
 * several have the name, equal objects are paired first, then those that `adopt: byName`
 * takes for the same, then those of the same environment. `pairEnvironments` says which
 * environments belong together. Rules are compared by their meaning. A kind that could
 * not be read on one side is not compared. A kind that is part of another kind is
 * compared as a field of that kind: the verification of a webhook as `verified`.
 */
export function compareWorkspaces(
  before: ComparedSide,
  after: ComparedSide,
): Comparison {
  const notCompared = [before, after].flatMap(({ name: side, selection }) =>
    selection.workspace.unread.map((unread) => ({ ...unread, side })),
  );
  const unread = new Set(notCompared.map(({ kind }) => kind));
  const compares = KINDS.filter(
    ({ kind, partOf }) => !unread.has(kind) && !partOf,
  );
  const readable = ({ selection }: ComparedSide): Selection => {
    const { workspace } = selection;
    const objects = compares.map(
      (kind) => [kind.kind, objectsOf(workspace, kind)] as const,
    );
    return {
      ...selection,
      workspace: { ...workspace, objects: Object.fromEntries(objects) },
    };
  };
  const [was, is] = [readable(before), readable(after)];
  const titles = pairEnvironments(was, is);
  // The default environment cannot be declared, so it is never a copy of another
  // environment.
  const isDefault = [was, is].some(
    ({ only, workspace }) => only?.id === workspace.defaultEnvironment.id,
  );
  const compared = (selection: Selection, titleOf: TitleOf) =>
    comparedObjects(selection, titleOf).filter(
      ({ kind: { kind } }) => !isDefault || kind !== ENVIRONMENT,
    );
  const pairs = pairUp(
    compared(was, titles.before),
    compared(is, titles.after),
    ({ what, name, values }) => JSON.stringify([what, name, values]),
    ({ kind: { definition }, what, name, values }) =>
      JSON.stringify([what, name, identityOf(definition, values)]),
    ({ what, name, environment }) => JSON.stringify([what, name, environment]),
    ({ what, name }) => `${what} ${name}`,
  );
  return {
    before: before.name,
    after: after.name,
    objects: pairs.flatMap(differenceOf),
    ruleSets: ruleSetDifferences(
      rulesByEnvironment(was, titles.before),
      rulesByEnvironment(is, titles.after),
    ),
    notCompared: notCompared.map(({ what, side, reason }) => ({
      what,
      side,
      reason,
    })),
  };
}

function differenceOf({
  before,
  after,
}: Pair<ComparedObject>): ObjectDifference[] {
  const object = after ?? before;
  if (!object) return [];
  const { what, name, environment } = object;
  const ids = idsOf(before?.id, after?.id);
  const place = { what, name: maskUrls(name), ids, environment };
  if (!before) return [{ change: "added", ...place }];
  if (!after) return [{ change: "removed", ...place }];
  const fields = changedFields(
    object.kind.compared,
    before.values,
    after.values,
    "object",
  )
    .filter(({ name }) => name in before.values && name in after.values)
    .map(({ name, before: was, after: is }) => ({
      field: name,
      before: masked(was),
      after: masked(is),
    }));
  return fields.length === 0 ? [] : [{ change: "changed", ...place, fields }];
}

/** The IDs of both sides. A side without an ID has no member. */
const idsOf = (before: string | undefined, after: string | undefined) => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

const masked = (value: unknown) =>
  mapParts(value, (part) => (typeof part === "string" ? maskUrls(part) : part));

function ruleSetDifferences(
  was: ReadonlyMap<string, RulesOfEnvironment>,
  is: ReadonlyMap<string, RulesOfEnvironment>,
): RuleSetDifference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((environment) => {
    const before = was.get(environment);
    const after = is.get(environment);
    const diff = diffRules(before?.rules ?? [], after?.rules ?? []);
    const ids = idsOf(before?.id, after?.id);
    return diff.changes.length === 0 ? [] : [{ environment, ids, diff }];
  });
}

interface RulesOfEnvironment {
  readonly id: string;
  readonly rules: readonly Rule[];
}

function rulesByEnvironment(
  { workspace }: Selection,
  titleOf: TitleOf,
): Map<string, RulesOfEnvironment> {
  return new Map(
    KINDS.flatMap((kind) => {
      const ruleFile = kind.definition.clone?.ruleFile;
      if (!ruleFile) return [];
      return objectsOf(workspace, kind).map((object) => {
        const id = environmentOf(workspace, kind, object) ?? object.id;
        const rules = ruleFile.rules(object.outputs);
        return [titleOf(id) ?? id, { id, rules }] as const;
      });
    }),
  );
}
