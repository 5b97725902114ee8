import { masked, mapSecrets } from "./engine/property-value";
import type { Snapshot } from "./engine/resource";

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
