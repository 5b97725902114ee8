import type { Values } from "@devid/pulumi/definitions";
import { DevidError, type Region } from "@devid/sdk";
import { ENVIRONMENT, type CloneKind } from "./clone-kinds";

/** An object of a workspace, with its fields as the outputs of a resource, without secrets. */
export interface WorkspaceObject {
  readonly id: string;
  readonly outputs: Values;
}

/** The members of an environment that other code needs. */
export interface WorkspaceEnvironment {
  readonly id: string;
  readonly name: string;
}

/** A kind of objects that the service did not list: nothing is known of them. */
export interface UnreadKind {
  readonly kind: string;
  /** What reports call such objects: `filtering rules`. */
  readonly what: string;
  /** What the service answered: a sentence or several. */
  readonly reason: string;
}

/** The lists of a workspace contradict each other, for example because it was changed meanwhile. */
export class ContradictoryListsError extends DevidError {
  override readonly name = "ContradictoryListsError";
}

/** The contents of a workspace, or of a part of it, without secrets. Plain data for JSON. */
export interface Workspace {
  readonly region: Region;
  /** All environments, even in a part of a workspace: other objects refer to them. */
  readonly environments: readonly WorkspaceEnvironment[];
  readonly defaultEnvironment: WorkspaceEnvironment;
  /**
   * The objects by kind, without the default environment, which no program can
   * declare. Each list is in order of creation, oldest first; objects of the same
   * time are in the order of their IDs.
   */
  readonly objects: Readonly<Record<string, readonly WorkspaceObject[]>>;
  /** The kinds that could not be read. Their lists in `objects` are empty. */
  readonly unread: readonly UnreadKind[];
}

/** The objects of a kind. */
export function objectsOf(
  { objects }: Workspace,
  { kind }: CloneKind,
): readonly WorkspaceObject[] {
  return objects[kind] ?? [];
}

/** The object of which another object is a part; undefined if there is none. */
export function wholeOf(
  { objects }: Pick<Workspace, "objects">,
  { partOf }: CloneKind,
  { outputs }: WorkspaceObject,
): WorkspaceObject | undefined {
  if (!partOf) return undefined;
  const all = objects[partOf.kind.kind] ?? [];
  return all.find(({ id }) => id === outputs[partOf.input]);
}

/** The ID of an object's environment, or of the environment that it is; undefined for an object of the whole workspace. */
export function environmentOf(
  workspace: Pick<Workspace, "defaultEnvironment" | "objects">,
  cloneKind: CloneKind,
  object: WorkspaceObject,
): string | undefined {
  const { kind, definition, environmentInput, partOf } = cloneKind;
  const { defaultEnvironment } = workspace;
  const { id, outputs } = object;
  if (kind === ENVIRONMENT) return id;
  const whole = wholeOf(workspace, cloneKind, object);
  if (partOf && whole) return environmentOf(workspace, partOf.kind, whole);
  if (environmentInput === undefined) return undefined;
  const named = outputs[environmentInput];
  if (typeof named === "string") return named;
  return definition.inDefaultEnvironment?.(outputs)
    ? defaultEnvironment.id
    : undefined;
}

/** The name or address of an object. An encryption key without a name is called by the name of its environment. */
export function titleOf(
  workspace: Workspace,
  kind: CloneKind,
  object: WorkspaceObject,
): string {
  const { definition } = kind;
  const { outputs } = object;
  if (definition.onePerEnvironment === undefined)
    return definition.title(outputs);
  if (typeof outputs.name === "string") return outputs.name;
  const place = environmentOf(workspace, kind, object);
  const found = workspace.environments.find(({ id }) => id === place);
  return found?.name ?? object.id;
}
