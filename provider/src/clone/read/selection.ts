import { DevidError } from "@devid/sdk";
import { KINDS, type CloneKind } from "./clone-kinds";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type Workspace,
  type WorkspaceEnvironment,
} from "./workspace";

/** Which part of a workspace to choose. Without an option, everything is chosen. */
export interface SelectionOptions {
  /** Only objects of this environment, named by its ID or its name. */
  readonly environment?: string;
  /** Only objects of these kinds, as the command line spells them. */
  readonly include?: readonly string[];
  /** Only objects with such a name; `*` matches any text, `?` any character. */
  readonly name?: string;
}

/** A part of a workspace. */
export interface Selection {
  /** The options that it was chosen by. */
  readonly options: SelectionOptions;
  /** The workspace with the chosen objects only; `environments` is still complete. */
  readonly workspace: Workspace;
  /** The workspace with all its objects. */
  readonly whole: Workspace;
  /** The environment that the options name. */
  readonly only?: WorkspaceEnvironment;
  /** The kinds that the workspace was read with. */
  readonly kinds: readonly CloneKind[];
}

/** No environment has the given ID or name, or several have the name. */
export class EnvironmentChoiceError extends DevidError {
  override readonly name = "EnvironmentChoiceError";
}

/**
 * Chooses a part of a workspace. The option `name` is matched with the name of an
 * object or the address of a webhook. For a rule set, and for an encryption key
 * without a name, it is matched with the name of the environment.
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
  const isChosen = (name: string) =>
    include === undefined ||
    kinds.some(
      ({ kind, spelling }) => kind === name && include.includes(spelling),
    );
  return {
    options,
    only,
    whole: workspace,
    workspace: {
      ...workspace,
      objects: Object.fromEntries(objects),
      unread: workspace.unread.filter(({ kind }) => isChosen(kind)),
    },
    kinds,
  };
}

/** The environment with an ID or a name. @throws EnvironmentChoiceError */
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
