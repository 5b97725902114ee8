import type { DeploymentOptions, EngineHost } from "./engine-host";
import { copyOf } from "./property-value";
import { markSecrets, type Resource } from "./resource";
import { messageOf, type StepExecutor } from "./step-executor";

/** Reads every object of a state; answers the resources as they are now. */
export async function refresh(
  last: readonly Resource[],
  options: DeploymentOptions,
  host: EngineHost,
  executor: StepExecutor,
): Promise<Resource[]> {
  const { targets, excludes } = options;
  const isPreview = options.isPreview === true;
  const found = new Map<Resource, Resource | undefined>();
  await Promise.all(
    last.map(async (res) => {
      if (targets && !targets.includes(res.urn)) return;
      if (excludes?.includes(res.urn)) return;
      if (!res.isCustom || res.isPendingReplacement) return;
      try {
        found.set(res, await refreshed(res, host, isPreview));
      } catch (error) {
        host.print(`error: ${messageOf(error)}`, res.urn);
        executor.noteFailure();
      }
    }),
  );
  const referenceable = new Set<string>();
  const resources: Resource[] = [];
  for (const res of last) {
    const now = found.has(res) ? found.get(res) : res;
    if (!now) continue;
    now.dependencies = now.dependencies.filter((urn) => referenceable.has(urn));
    now.propertyDependencies = Object.fromEntries(
      Object.entries(now.propertyDependencies).map(([name, urns]) => [
        name,
        urns.filter((urn) => referenceable.has(urn)),
      ]),
    );
    if (now.deletedWith !== undefined && !referenceable.has(now.deletedWith))
      now.deletedWith = undefined;
    resources.push(now);
    referenceable.add(now.urn);
  }
  for (const res of resources)
    if (res.parent !== undefined && !referenceable.has(res.parent))
      res.parent = undefined;
  return resources;
}

async function refreshed(
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
  await provider.diff({
    urn,
    id: now.id,
    oldInputs: now.inputs,
    oldOutputs: now.outputs,
    news: old.inputs,
    ignoreChanges: old.ignoreChanges,
    isPreview: isPreview,
  });
  markSecrets(now);
  return now;
}
