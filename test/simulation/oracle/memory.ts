import type { Resource } from "../engine/resource";
import { Mirror } from "../mirror";
import type { Kind } from "../program";
import type { World } from "../world";
import type { Wrong } from "./violation";

/** What the oracle remembers of a story. */
export class Memory {
  readonly mirror: Mirror;
  /** Objects whose resources were taken out of a state on purpose. */
  readonly released = new Set<string>();
  readonly switchedByPeople = new Set<string>();
  /** Objects whose creation met trouble, so that nobody may know of them. */
  readonly unclear = new Set<string>();
  /** Objects that a resource deleted while one of another provider had them: neither process knows of the other. */
  readonly lostToOthers = new Set<string>();
  printed = "";

  constructor(readonly world: World) {
    this.mirror = new Mirror(world.service);
  }

  /** What is remembered, as a plain value: of what was printed, the objects that it names. */
  get whole(): unknown {
    const { mirror, printed } = this;
    const sets = [this.released, this.switchedByPeople];
    sets.push(this.unclear, this.lostToOthers);
    return {
      objects: [...mirror.objects.values()],
      rules: [...mirror.rules],
      sets: sets.map((one) => [...one].sort()),
      named: [...mirror.objects.values()]
        .map(({ id }) => id)
        .filter((id) => printed.includes(id)),
    };
  }

  /** Notes a violation. */
  wrong(what: Wrong, detail: string): void {
    this.world.violations.push({ wrong: what, detail });
  }
}

/** The kind of an object that a resource has; undefined for a component. */
export function kindOf({ type, isCustom }: Resource): Kind | undefined {
  return isCustom ? (type.split(":").at(-1) as Kind) : undefined;
}
