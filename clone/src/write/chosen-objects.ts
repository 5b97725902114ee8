import { identityOf, type Overrides } from "@devid/pulumi/definitions";
import type { DeclaredResource } from "../declare/declare-workspace";
import { KINDS } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import { objectsOf } from "../read/workspace";

/**
 * The objects that a stack over the exported workspace cannot find by name, because
 * several have the same identity: each resource names its object by ID.
 */
export function chosenObjects(
  resources: readonly DeclaredResource[],
  { whole }: Selection,
): Overrides {
  const chosen: Record<string, Record<string, { adopt: { id: string } }>> = {};
  for (const kind of KINDS.filter(({ definition }) => definition.adoption)) {
    const identities = new Map(
      objectsOf(whole, kind).map(({ id, outputs }) => [
        id,
        JSON.stringify(identityOf(kind.definition, outputs)),
      ]),
    );
    const counts = new Map<string, number>();
    for (const identity of identities.values())
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
    for (const { kind: of, id, name } of resources) {
      const identity = identities.get(id);
      if (of !== kind.kind || identity === undefined) continue;
      if ((counts.get(identity) ?? 0) > 1)
        (chosen[of] ??= {})[name] = { adopt: { id } };
    }
  }
  return chosen;
}
