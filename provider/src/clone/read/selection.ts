import type { Environment } from "@devid/sdk";
import { EnvironmentChoiceError } from "./environment-choice-error";
import type { Workspace } from "./workspace";

/** Kinds of object that can be chosen, as the command line spells them. */
export const CLONE_KINDS = [
  "environments",
  "api-keys",
  "webhooks",
  "encryption-keys",
  "rules",
] as const;

/** One of them. */
export type CloneKind = (typeof CLONE_KINDS)[number];

/** What of a workspace is meant; what is left out means everything. */
export interface SelectionOptions {
  /** Only what belongs to this environment, by its ID or its name. */
  readonly environment?: string;
  readonly include?: readonly CloneKind[];
  /** Only what has such a name; `*` is any text, `?` any character. */
  readonly name?: string;
}

/** A part of a workspace. */
export interface Selection {
  /** What was asked for. */
  readonly options: SelectionOptions;
  /** Its lists hold what was chosen; `environments` all the same is complete. */
  readonly workspace: Workspace;
  /** Environments to declare; the default one is never among them. */
  readonly environments: readonly Environment[];
  /** The environment that was asked for. */
  readonly only?: Environment;
}

/**
 * Chooses a part of a workspace. A name is compared with that of an
 * environment, an API key and an encryption key, with the address of a webhook;
 * rules, and an encryption key without a name, go by their environment.
 * @throws EnvironmentChoiceError
 */
export function select(
  workspace: Workspace,
  options: SelectionOptions = {},
): Selection {
  const { environment, include = CLONE_KINDS, name } = options;
  const only =
    environment === undefined
      ? undefined
      : findEnvironment(workspace, environment);
  const pattern = name === undefined ? undefined : globPattern(name);
  const nameOf = (id: string | null | undefined) =>
    workspace.environments.find((found) => found.id === id)?.name ?? "";
  const chosen = <T>(
    kind: CloneKind,
    items: readonly T[],
    describe: (item: T) => {
      readonly in?: string | null;
      readonly name: string;
    },
  ) =>
    items.filter((item) => {
      const found = describe(item);
      return (
        include.includes(kind) &&
        (only === undefined || found.in === only.id) &&
        (pattern?.test(found.name) ?? true)
      );
    });
  return {
    options,
    only,
    environments: chosen("environments", workspace.environments, (found) => ({
      in: found.id,
      name: found.name,
    })).filter(({ id }) => id !== workspace.defaultEnvironment.id),
    workspace: {
      ...workspace,
      apiKeys: chosen("api-keys", workspace.apiKeys, (key) => ({
        in: key.environment,
        name: key.name,
      })),
      webhooks: chosen("webhooks", workspace.webhooks, (webhook) => ({
        in: webhook.environment,
        name: webhook.url,
      })),
      encryptionKeys: chosen(
        "encryption-keys",
        workspace.encryptionKeys,
        (key) => ({
          in: key.environment,
          name: key.name ?? nameOf(key.environment),
        }),
      ),
      ruleSets: chosen("rules", workspace.ruleSets, (rules) => ({
        in: rules.environment,
        name: nameOf(rules.environment),
      })),
    },
  };
}

/** The environment of an ID or a name. @throws EnvironmentChoiceError */
export function findEnvironment(
  { environments, region }: Workspace,
  idOrName: string,
): Environment {
  const byId = environments.filter(({ id }) => id === idOrName);
  const meant = byId.length
    ? byId
    : environments.filter(({ name }) => name === idOrName);
  const [found, ...others] = meant;
  if (found && others.length === 0) return found;
  const list = (all: readonly Environment[]) =>
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
