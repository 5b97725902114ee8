import { noDefaultEnvironment } from "@devid/pulumi/state";
import type { Client, Environment } from "@devid/sdk";
import {
  refusesList,
  toState,
  withoutSecrets,
} from "@devid/pulumi/definitions";
import { ENVIRONMENT, KINDS, type CloneKind } from "./clone-kinds";
import {
  ContradictoryListsError,
  environmentOf,
  type UnreadKind,
  type Workspace,
  type WorkspaceEnvironment,
  type WorkspaceObject,
} from "./workspace";

/** The progress of reading a workspace. */
export interface ReadProgress {
  /** What is being read: `API keys`. */
  readonly what: string;
  readonly count: number;
}

/** Options for reading a workspace. */
export interface ReadOptions {
  /** Called after each object. */
  readonly onProgress?: (progress: ReadProgress) => void;
}

/**
 * Reads all objects of a workspace with list calls, and removes every secret from
 * them. If the service does not list a kind, or refuses the list to this key, the kind
 * is unread (docs/assumptions.md, A130). Environments must be listed.
 * @throws ContradictoryListsError when the workspace lists no environment
 */
export async function readWorkspace(
  client: Client,
  { onProgress }: ReadOptions = {},
): Promise<Workspace> {
  const { region } = client.configuration;
  const read = async (
    kind: CloneKind,
    defaultEnvironment?: WorkspaceEnvironment,
  ) => {
    const { definition, listed: what } = kind;
    const ruleFile = definition.clone?.ruleFile;
    const found: WorkspaceObject[] = [];
    let count = 0;
    const list = definition.list(client, undefined, defaultEnvironment?.id);
    for await (const one of list) {
      const shown = withoutSecrets(definition.outputs, one.outputs) as object;
      const object = { id: one.id, outputs: toState(shown) };
      found.push(object);
      count += ruleFile?.rules(object.outputs).length ?? 1;
      onProgress?.({ what, count });
    }
    return found;
  };

  const objects: Record<string, readonly WorkspaceObject[]> = {};
  const unread: UnreadKind[] = [];
  const [places, ...others] = [
    ...KINDS.filter(({ kind }) => kind === ENVIRONMENT),
    ...KINDS.filter(({ kind }) => kind !== ENVIRONMENT),
  ];
  const all = places ? inOrder(await read(places)) : [];
  const environments = all.map(({ id, outputs }) => ({
    id,
    name: String(outputs.name),
  }));
  const defaultId = client.environments.defaultOf(
    all.map(
      ({ id, outputs }) => ({ ...outputs, id }) as unknown as Environment,
    ),
  )?.id;
  const defaultEnvironment = environments.find(({ id }) => id === defaultId);
  if (!defaultEnvironment)
    throw new ContradictoryListsError(noDefaultEnvironment(region));
  objects[ENVIRONMENT] = all.filter(({ id }) => id !== defaultId);
  const times = new Map<string | undefined, unknown>(
    all.map(({ id, outputs }) => [id, outputs.createdAt]),
  );
  for (const kind of others) {
    // An object without a time of creation is ordered by the time of its environment.
    const madeAt = (object: WorkspaceObject) =>
      times.get(environmentOf({ defaultEnvironment, objects }, kind, object));
    const whole = kind.partOf && objects[kind.partOf.kind.kind];
    if (whole) {
      const { definition, listed: what } = kind;
      const unlisted = unread.find(
        (one) => one.kind === kind.partOf?.kind.kind,
      );
      if (unlisted) unread.push({ ...unlisted, kind: kind.kind, what });
      objects[kind.kind] = whole.flatMap(
        (one) => definition.partIn?.(one) ?? [],
      );
      continue;
    }
    const found = await read(kind, defaultEnvironment).catch(
      (error: unknown) => {
        if (!refusesList(error)) throw error;
        const { listed: what } = kind;
        unread.push({ kind: kind.kind, what, reason: error.message });
        return [];
      },
    );
    objects[kind.kind] = inOrder(found, madeAt);
  }
  return { region, environments, defaultEnvironment, objects, unread };
}

/** The objects in order of creation, oldest first; the service may list them in any order. */
function inOrder(
  objects: readonly WorkspaceObject[],
  otherwise: (object: WorkspaceObject) => unknown = () => undefined,
): WorkspaceObject[] {
  const placed = objects.map((object) => {
    const { createdAt = otherwise(object) } = object.outputs;
    const time = typeof createdAt === "string" ? createdAt : "";
    return { place: `${time} ${object.id}`, object };
  });
  return placed
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ object }) => object);
}
