import { maskUrls } from "@devid/sdk";
import {
  fieldsMarked,
  pluginType,
  providerText,
  resourceType,
} from "@devid/pulumi/definitions";
import { kindOfType, stackOfUrn } from "@devid/pulumi/state";
import { declareWorkspace } from "../declare/declare-workspace";
import { KINDS, type CloneKind } from "../read/clone-kinds";
import { select } from "../read/selection";
import { objectsOf, titleOf } from "../read/workspace";
import type { Recovery, RecoveredWorkspace } from "../recover/recover-stack";
import type { PreviewedProgram } from "../recover/previewed-program";
import type { StackDeployment } from "../recover/recovered-state";

type Record_ = Readonly<Record<string, unknown>>;

/** An object of the target that the source does not have. */
export interface OnlyInTarget {
  /** `API key` */
  readonly what: string;
  readonly id: string;
  readonly name: string;
}

/** Rules of the target that the source does not have, and that an update of their rule set would delete. */
export interface DeletedRules {
  /** ID of the environment. */
  readonly environment: string;
  readonly names: readonly string[];
}

/**
 * Removes resources of devid that the program no longer declares from a state, so that
 * no update deletes their objects. The target may keep objects that the source no
 * longer has.
 */
export function withoutUndeclared(
  before: StackDeployment,
  { resources }: PreviewedProgram,
): { readonly state: StackDeployment; readonly urns: readonly string[] } {
  const declared = new Set(resources.map(({ urn }) => urn));
  const all = before.deployment.resources ?? [];
  const isLeft = ({ urn, type }: Record_) =>
    kindOfType(String(type)) !== undefined && !declared.has(String(urn));
  const left = all.filter(isLeft);
  return {
    state: {
      ...before,
      deployment: {
        ...before.deployment,
        resources: all.filter((one) => !isLeft(one)),
      },
    },
    urns: left.map(({ urn }) => String(urn)),
  };
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
  const added = workspaces.flatMap((part) =>
    declareWorkspace(select(unclaimedIn(part)), service).resources.map(
      ({ kind, id, inputs, state: outputs }) => {
        const type = isPlugin ? pluginType(kind) : resourceType(kind);
        const own = isPlugin ? {} : { __provider: providerText(kind) };
        return {
          urn: `${stack}::${type}::only-there-${id}`,
          custom: true,
          id,
          type,
          inputs: { ...inputs, ...own },
          outputs: { ...outputs, ...own },
          parent: like.parent,
          dependencies: [],
          provider: like.provider,
          propertyDependencies: {},
          additionalSecretOutputs: secretsOf(kind),
        };
      },
    ),
  );
  return {
    ...state,
    deployment: { ...state.deployment, resources: [...existing, ...added] },
  };
}

const secretsOf = (name: string) => {
  const kind = KINDS.find((one) => one.kind === name);
  return kind ? fieldsMarked(kind.definition.outputs, "secret") : [];
};

/** A workspace with only the objects that no resource has. */
function unclaimedIn({ workspace, unclaimed }: RecoveredWorkspace) {
  const isUnclaimed = (kind: CloneKind, id: string) =>
    unclaimed.some((one) => one.kind === kind && one.object.id === id);
  return {
    ...workspace,
    objects: Object.fromEntries(
      KINDS.map((kind) => [
        kind.kind,
        objectsOf(workspace, kind).filter(({ id }) => isUnclaimed(kind, id)),
      ]),
    ),
  };
}
