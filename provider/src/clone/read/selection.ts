import { DevidError } from "@devid/sdk";
import { KINDS, type CloneKind } from "./clone-kinds";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type Workspace,
  type WorkspaceEnvironment,
} from "./workspace";

/** What of a workspace is meant; what is left out means everything. */
export interface SelectionOptions {
  /** Only what belongs to this environment, by its ID or its name. */
  readonly environment?: string;
  /** Only these kinds, as the command line spells them. */
  readonly include?: readonly string[];
  /** Only what has such a name; `*` is any text, `?` any character. */
  readonly name?: string;
}

/** A part of a workspace. */
export interface Selection {
  /** What was asked for. */
  readonly options: SelectionOptions;
  /** Its objects are those that were chosen; `environments` all the same is complete. */
  readonly workspace: Workspace;
  /** The environment that was asked for. */
  readonly only?: WorkspaceEnvironment;
  /** The kinds that the workspace was read by. */
  readonly kinds: readonly CloneKind[];
}

/** An environment was named that is not there, or several are called so. */
export class EnvironmentChoiceError extends DevidError {
  override readonly name = "EnvironmentChoiceError";
}

/**
 * Chooses a part of a workspace. A name is compared with that of an object, or
 * with the address of a webhook; rules, and an encryption key without a name,
 * go by their environment.
 * @throws EnvironmentChoiceError
 */
export function select(
  workspace: Workspace,
  options: SelectionOptions = {},
  kinds: readonly CloneKind[] = KINDS,
): Selection {
  const { environment, include, name } = options;
  const only =
    environment === undefined
      ? undefined
      : findEnvironment(workspace, environment);
  const pattern = name === undefined ? undefined : globPattern(name);
  const objects = kinds.map((kind) => {
    const isIncluded = include?.includes(kind.spelling) ?? true;
    const chosen = objectsOf(workspace, kind).filter(
      (object) =>
        isIncluded &&
        (!only || environmentOf(workspace, kind, object) === only.id) &&
        (pattern?.test(titleOf(workspace, kind, object)) ?? true),
    );
    return [kind.kind, chosen] as const;
  });
  return {
    options,
    only,
    workspace: { ...workspace, objects: Object.fromEntries(objects) },
    kinds,
  };
}

/** The environment of an ID or a name. @throws EnvironmentChoiceError */
export function findEnvironment(
  { environments, region }: Workspace,
  idOrName: string,
): WorkspaceEnvironment {
  const byId = environments.filter(({ id }) => id === idOrName);
  const meant = byId.length
    ? byId
    : environments.filter(({ name }) => name === idOrName);
  const [found, ...others] = meant;
  if (found && others.length === 0) return found;
  const list = (all: readonly WorkspaceEnvironment[]) =>
    all.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw new EnvironmentChoiceError(
    found
      ? `Several environments in region ${region} are called "${idOrName}": ${list(meant)}. Name one by its ID.`
      : `The workspace in region ${region} has no environment "${idOrName}"; it has ${list(environments)}.`,
  );
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll("\\*", ".*")
    .replaceAll("\\?", ".");
  return new RegExp(`^${source}$`, "su");
}
