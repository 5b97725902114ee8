import type { Resource, Snapshot } from "../engine/resource";
import { keyOf, type LiveObject } from "../mirror";
import type { Outcome, Stack } from "../world";
import { kindOf, type Memory } from "./memory";

/**
 * Checks that an object does not live on after its resource is gone from the state. The
 * engine does not ask a provider to delete a resource with `deletedWith`. If such an
 * object still exists, the refused delete of the environment must name it. In three
 * cases the delete cannot know the object: the object is in another environment, the
 * engine did not delete the environment because a resource in it is protected, or the
 * delete was disturbed. Then the command that makes a similar object must name it.
 * An encryption key stays, and so does a verified webhook.
 */
export function checkDropped(
  memory: Memory,
  resource: Resource,
  { resources }: Snapshot,
  {
    printed,
    calls,
    isTroubled,
  }: Pick<Outcome, "printed" | "calls"> & { readonly isTroubled: boolean },
): void {
  const kind = kindOf(resource);
  if (!kind || kind === "EncryptionKey" || kind === "WebhookVerification")
    return;
  const { deletedWith, id } = resource;
  const object = memory.mirror.object(kind, id);
  const key = keyOf(kind, id);
  if (!object || memory.released.has(key)) return;
  const isHeld = [...memory.world.stacks.values()].some(({ snapshot }) =>
    snapshot.resources.some((one) => kindOf(one) === kind && one.id === id),
  );
  if (isHeld) return;
  const place = resources.find(({ urn }) => urn === deletedWith);
  if (place && printed.includes(id)) return;
  const isAsked = calls.some(
    ({ method, urn }) => method === "delete" && urn === place?.urn,
  );
  const isElsewhere = object.record.environment !== place?.id;
  if (place && (isElsewhere || !isAsked || isTroubled)) memory.unclear.add(key);
  else
    memory.wrong(
      "object in no state",
      `${kind} ${id} of ${resource.urn}, which the state had`,
    );
}

/**
 * Checks that no object that a program made is forgotten. After trouble, an object may
 * be unknown until `ended`, a command that makes a similar object. This command must
 * name the forgotten object.
 */
export function checkOrphans(
  memory: Memory,
  ended?: {
    readonly stack: Stack;
    readonly steps: Outcome["steps"];
  },
): void {
  for (const object of orphans(memory)) {
    const isForgiven =
      memory.unclear.has(keyOf(object.kind, object.id)) &&
      !(ended && isMadeAgain(memory, object, ended.stack, ended.steps));
    if (isForgiven) continue;
    memory.wrong(
      "object in no state",
      `${object.kind} ${object.id} of ${object.madeBy}`,
    );
  }
}

/** Objects that a program made, but no state has and no message has named. */
export function orphans(memory: Memory): LiveObject[] {
  const held = new Set<string>();
  for (const { snapshot } of memory.world.stacks.values())
    for (const resource of snapshot.resources) {
      const kind = kindOf(resource);
      if (kind) held.add(keyOf(kind, resource.id));
    }
  return [...memory.mirror.objects.values()].filter(
    ({ kind, id, madeBy }) =>
      madeBy !== undefined &&
      !held.has(keyOf(kind, id)) &&
      !memory.released.has(keyOf(kind, id)) &&
      !memory.printed.includes(id),
  );
}

/** Whether a command made another object of the same kind that looks the same. */
function isMadeAgain(
  memory: Memory,
  { kind, record, region, madeBy }: LiveObject,
  { name, snapshot }: Stack,
  steps: Outcome["steps"],
): boolean {
  if (madeBy !== name) return false;
  const made = steps.filter(({ op }) => op.startsWith("create"));
  return snapshot.resources.some((resource) => {
    const isMade = made.some(({ urn }) => urn === resource.urn);
    const other = memory.mirror.object(kind, resource.id);
    return (
      isMade &&
      other?.region === region &&
      ["name", "url", "type", "environment"].every(
        (field) => other.record[field] === record[field],
      )
    );
  });
}
