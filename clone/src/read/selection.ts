import { environmentNamed } from "@devid/pulumi/state";
import { DevidError } from "@devid/sdk";
import { CLONE_KINDS, KINDS } from "./clone-kinds";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type Workspace,
  type WorkspaceEnvironment,
  type WorkspaceObject,
} from "./workspace";

/** Which part of a workspace to choose. Without an option, everything is chosen. */
export interface SelectionOptions {
  /** Only objects of this environment, named by its ID or its name. */
  readonly environment?: string;
  /** Only objects that match one of these choices, see `Choice`. */
  readonly include?: readonly string[];
  /** No objects that match one of these choices. */
  readonly exclude?: readonly string[];
}

/**
 * Which objects a text such as `api-keys`, `webhooks:*internal*` or `tok_1aB2` means: a
 * kind as the command line spells it, a kind and a pattern of names, or an ID.
 */
export interface Choice {
  /** `*` means every kind. Absent for an ID. */
  readonly kind?: string;
  readonly name?: RegExp;
  readonly id?: string;
}

/** A choice means neither a kind nor an object of the workspace. */
export class ObjectChoiceError extends DevidError {
  override readonly name = "ObjectChoiceError";
}

/** A part of a workspace. */
export interface Selection {
  readonly options: SelectionOptions;
  /** The workspace with the chosen objects only; `environments` is still complete. */
  readonly workspace: Workspace;
  readonly whole: Workspace;
  /** The environment that the options name. */
  readonly only?: WorkspaceEnvironment;
}

/** No environment has the given ID or name, or several have the name. */
export class EnvironmentChoiceError extends DevidError {
  override readonly name = "EnvironmentChoiceError";
}

/**
 * Chooses a part of a workspace. A pattern is matched with the name of an object or the
 * address of a webhook. For a rule set, and for an encryption key
 * without a name, it is matched with the name of the environment.
 * @throws EnvironmentChoiceError
 */
export function select(
  workspace: Workspace,
  options: SelectionOptions = {},
): Selection {
  const { environment } = options;
  const include = options.include?.map(choiceOf);
  const exclude = (options.exclude ?? []).map(choiceOf);
  const only =
    environment === undefined
      ? undefined
      : findEnvironment(workspace, environment);
  const objects = KINDS.map((kind) => {
    const isMeant = (object: WorkspaceObject) => {
      const title = titleOf(workspace, kind, object);
      const isOne = ({ id, name: names, kind: spelling }: Choice) =>
        id === undefined
          ? (spelling === "*" || spelling === kind.spelling) &&
            (names?.test(title) ?? true)
          : id === object.id;
      return (include?.some(isOne) ?? true) && !exclude.some(isOne);
    };
    const chosen = objectsOf(workspace, kind).filter(
      (object) =>
        isMeant(object) &&
        (!only || environmentOf(workspace, kind, object) === only.id),
    );
    return [kind.kind, chosen] as const;
  });
  const isChosen = (name: string) =>
    include === undefined ||
    KINDS.some(
      ({ kind, spelling }) =>
        kind === name &&
        include.some((one) => one.kind === "*" || one.kind === spelling),
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
  };
}

/** The environment with an ID or a name. @throws EnvironmentChoiceError */
function findEnvironment(
  { environments, region }: Workspace,
  idOrName: string,
): WorkspaceEnvironment {
  const found = environmentNamed(idOrName, environments, region);
  if ("problem" in found) throw new EnvironmentChoiceError(found.problem);
  return found;
}

/**
 * Refuses choices that mean neither a kind nor an object of the workspace.
 * @throws ObjectChoiceError
 */
export function assertChoices(
  workspace: Workspace,
  { include = [], exclude = [] }: SelectionOptions,
): void {
  const ids = new Set(
    KINDS.flatMap((kind) => objectsOf(workspace, kind).map(({ id }) => id)),
  );
  for (const text of [...include, ...exclude]) {
    const { id } = choiceOf(text);
    if (id !== undefined && !ids.has(id))
      throw new ObjectChoiceError(
        `"${text}" is neither a kind (${CLONE_KINDS.join(", ")}), nor a kind with a pattern of names (api-keys:shop-*), nor the ID of an object in region ${workspace.region}.`,
      );
  }
}

function choiceOf(text: string): Choice {
  // An address has colons, too, so only the first one counts.
  const [word = "", ...rest] = text.split(":");
  if (word !== "*" && !CLONE_KINDS.includes(word)) return { id: text };
  return {
    kind: word,
    ...(rest.length > 0 && { name: globPattern(rest.join(":")) }),
  };
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll("\\*", ".*")
    .replaceAll("\\?", ".");
  return new RegExp(`^${source}$`, "su");
}
