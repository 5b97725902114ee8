import type { Region } from "@devid/sdk";
import { ENVIRONMENT, type CloneKind } from "./clone-kinds";

type Values = Readonly<Record<string, unknown>>;

/** An object of a workspace: its outputs as a resource has them, without any secret. */
export interface WorkspaceObject {
  readonly id: string;
  readonly outputs: Values;
}

/** An environment, as far as others refer to it. */
export interface WorkspaceEnvironment {
  readonly id: string;
  readonly name: string;
}

/** What a workspace holds, or a part of it: everything but secrets. Plain data, which may go through JSON. */
export interface Workspace {
  readonly region: Region;
  /** All environments, also in a part of a workspace: others refer to them. */
  readonly environments: readonly WorkspaceEnvironment[];
  /** The environment that every workspace has and none can make. */
  readonly defaultEnvironment: WorkspaceEnvironment;
  /**
   * The objects that a program could declare, by their kinds; the default
   * environment is not among them. Each list is in order of creation, oldest
   * first, then of IDs.
   */
  readonly objects: Readonly<Record<string, readonly WorkspaceObject[]>>;
}

/** The objects of a kind. */
export function objectsOf(
  { objects }: Workspace,
  { kind }: CloneKind,
): readonly WorkspaceObject[] {
  return objects[kind] ?? [];
}

/** ID of the environment that an object belongs to, or is; undefined for one of the whole workspace. */
export function environmentOf(
  { defaultEnvironment }: Pick<Workspace, "defaultEnvironment">,
  { kind, definition, environmentInput }: CloneKind,
  { id, outputs }: WorkspaceObject,
): string | undefined {
  if (kind === ENVIRONMENT) return id;
  if (environmentInput === undefined) return undefined;
  const named = outputs[environmentInput];
  if (typeof named === "string") return named;
  return definition.clone?.inDefaultEnvironment?.(outputs)
    ? defaultEnvironment.id
    : undefined;
}

/** What an object is called; one that goes by its environment, if it has no name of its own, as that. */
export function titleOf(
  workspace: Workspace,
  kind: CloneKind,
  object: WorkspaceObject,
): string {
  const { definition } = kind;
  const { outputs } = object;
  if (definition.clone?.onePerEnvironment === undefined)
    return definition.title(outputs);
  if (typeof outputs.name === "string") return outputs.name;
  const place = environmentOf(workspace, kind, object);
  const found = workspace.environments.find(({ id }) => id === place);
  return found?.name ?? object.id;
}
