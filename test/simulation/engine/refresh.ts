import { comparing } from "./provider";
import type { DeploymentOptions, EngineHost } from "./engine-host";
import { copyOf } from "./property-value";
import { dropMissing, markSecrets, type Resource } from "./resource";
import { messageOf, type StepExecutor } from "./step-executor";

/**
 * Reads every object of a state that was not read yet. Returns the resources as they
 * are now.
 */
export async function refresh(
  last: readonly Resource[],
  options: DeploymentOptions,
  host: EngineHost,
  executor: StepExecutor,
  isDone: (resource: Resource) => boolean = () => false,
): Promise<Resource[]> {
  const { targets, excludes } = options;
  const isPreview = options.isPreview === true;
  const found = new Map<Resource, Resource | undefined>();
  await Promise.all(
    last.map(async (res) => {
      if (targets && !targets.includes(res.urn)) return;
      if (excludes?.includes(res.urn)) return;
      if (!res.isCustom || res.isPendingReplacement || isDone(res)) return;
      try {
        found.set(res, await refreshed(res, host, isPreview));
      } catch (error) {
        host.print(`error: ${messageOf(error)}`, res.urn);
        executor.noteFailure();
      }
    }),
  );
  const resources = last.flatMap((res) => {
    const now = found.has(res) ? found.get(res) : res;
    return now ? [now] : [];
  });
  dropMissing(resources);
  return resources;
}

/** Reads the object of a resource; undefined if the object does not exist. */
export async function refreshed(
  old: Resource,
  host: EngineHost,
  isPreview: boolean,
): Promise<Resource | undefined> {
  const { urn } = old;
  const provider = host.provider(old.provider);
  const read = await provider.read({
    urn,
    id: old.id,
    state: { inputs: old.inputs, outputs: old.outputs },
  });
  if (read.id === "") return undefined;
  const now: Resource = {
    ...copyOf(old),
    id: read.id,
    initErrors: [],
    inputs: read.inputs ?? old.inputs,
    outputs: read.outputs,
  };
  await provider.diff(comparing(now, old, old.ignoreChanges, isPreview));
  markSecrets(now);
  return now;
}
