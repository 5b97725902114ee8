import { maskUrls } from "@devid/sdk";
import { pluginType, resourceType } from "@devid/pulumi/definitions";
import { kindOfType, stackOfUrn } from "@devid/pulumi/state";
import { declareWorkspace } from "../declare/declare-workspace";
import { narrowed, select } from "../read/selection";
import { titleOf } from "../read/workspace";
import type { Recovery } from "../recover/recover-stack";
import type { PreviewedProgram } from "../recover/previewed-program";
import type { StackDeployment } from "../recover/recovered-state";
import { stateRecord } from "../write/import-file";

/** An object of the target that the source does not have. */
export interface OnlyInTarget {
  readonly what: string;
  readonly id: string;
  readonly name: string;
}

/** Rules of the target that the source does not have, and that an update of their rule set would delete. */
export interface DeletedRules {
  readonly environment: string;
  readonly names: readonly string[];
}

/**
 * A state without the resources of devid that the program no longer declares, so that
 * no update deletes their objects. The target may keep objects that the source no
 * longer has.
 */
export function withoutUndeclared(
  { deployment, ...before }: StackDeployment,
  { resources }: PreviewedProgram,
): StackDeployment {
  const declared = new Set(resources.map(({ urn }) => urn));
  const kept = (deployment.resources ?? []).filter(
    ({ urn, type }) =>
      kindOfType(String(type)) === undefined || declared.has(String(urn)),
  );
  return { ...before, deployment: { ...deployment, resources: kept } };
}

/** The objects that only the target has and that a program can declare. */
export function onlyInTarget({ workspaces }: Recovery): OnlyInTarget[] {
  return workspaces.flatMap(({ workspace, unclaimed }) =>
    unclaimed.map(({ kind, object }) => ({
      what: kind.definition.singular,
      id: object.id,
      name: maskUrls(titleOf(workspace, kind, object)),
    })),
  );
}

/** The rules that an update of the program would delete, by environment. */
export function deletedRules({ workspaces }: Recovery): DeletedRules[] {
  return workspaces.flatMap(({ matches }) =>
    matches.flatMap(({ kind, object, inputs }) => {
      const ruleFile = kind.definition.clone?.ruleFile;
      if (!ruleFile) return [];
      const kept = new Set(Object.keys(inputs.rules ?? {}));
      const names = ruleFile
        .rules(object.outputs)
        .map(({ name }) => name)
        .filter((name) => !kept.has(name));
      return names.length === 0 ? [] : [{ environment: object.id, names }];
    }),
  );
}

/**
 * A state with the objects that only the target has, as resources that no program
 * declares. The next update deletes these objects, with all the guards of a delete, and
 * its preview shows them.
 */
export function withUnclaimed(
  state: StackDeployment,
  { workspaces }: Recovery,
  service: Parameters<typeof declareWorkspace>[1],
): StackDeployment {
  const existing = state.deployment.resources ?? [];
  const like = existing.find(({ type }) => kindOfType(String(type)));
  if (!like) return state;
  const stack = stackOfUrn(String(like.urn));
  const isPlugin =
    like.type === pluginType(kindOfType(String(like.type)) ?? "");
  const added = workspaces.flatMap(({ workspace, unclaimed }) => {
    const left = narrowed(select(workspace), (name, id) =>
      unclaimed.some(
        ({ kind, object }) => kind.kind === name && object.id === id,
      ),
    );
    return declareWorkspace(left, service).resources.map((resource) => {
      const { kind, id } = resource;
      const type = isPlugin ? pluginType(kind) : resourceType(kind);
      const urn = `${stack}::${type}::only-there-${id}`;
      const { parent, provider } = like;
      return stateRecord(resource, { isPlugin, urn, parent, provider });
    });
  });
  return {
    ...state,
    deployment: { ...state.deployment, resources: [...existing, ...added] },
  };
}
