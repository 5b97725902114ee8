import { masked, mapSecrets } from "./engine/property-value";
import type { Resource, Snapshot } from "./engine/resource";

/** The state as in the backend's file, with secrets left out. */
export const stateText = (snapshot: Snapshot): string =>
  JSON.stringify(masked(snapshot));

/** Every secret text of the state. */
export function secretsOf(snapshot: Snapshot): Set<string> {
  const found = new Set<string>();
  mapSecrets(snapshot, (secret) => {
    if (typeof secret === "string") found.add(secret);
    return secret;
  });
  return found;
}

/** A resource as it is after the resource with this URN has left the state. */
export function withoutReferencesTo(resource: Resource, urn: string): Resource {
  return {
    ...resource,
    parent: resource.parent === urn ? undefined : resource.parent,
    deletedWith:
      resource.deletedWith === urn ? undefined : resource.deletedWith,
    dependencies: resource.dependencies.filter((one) => one !== urn),
    propertyDependencies: Object.fromEntries(
      Object.entries(resource.propertyDependencies).map(([name, urns]) => [
        name,
        urns.filter((one) => one !== urn),
      ]),
    ),
  };
}
