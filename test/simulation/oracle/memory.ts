import type { Resource } from "../engine/resource";
import { Mirror } from "../mirror";
import type { Kind } from "../program";
import type { World } from "../world";
import type { Wrong } from "./violation";

const SETS = [
  "released",
  "switchedByPeople",
  "unclear",
  "lostToOthers",
] as const;

/** The memory of the oracle during a story. */
export class Memory {
  readonly mirror: Mirror;
  /** Objects whose resources were removed from a state on purpose. */
  readonly released = new Set<string>();
  readonly switchedByPeople = new Set<string>();
  /** Objects whose creation was disturbed, so that no state may know them. */
  readonly unclear = new Set<string>();
  /**
   * Objects that one resource deleted while a resource of another provider had them.
   * The two provider processes do not know of each other.
   */
  readonly lostToOthers = new Set<string>();
  printed = "";

  constructor(readonly world: World) {
    this.mirror = new Mirror(world.service);
  }

  /** Copies the contents of another memory. */
  take(other: Memory): void {
    const { mirror } = other;
    for (const [key, one] of mirror.objects) this.mirror.objects.set(key, one);
    for (const [key, one] of mirror.rules) this.mirror.rules.set(key, one);
    for (const name of SETS) for (const one of other[name]) this[name].add(one);
    this.printed = other.printed;
  }

  /**
   * The memory as a plain value. Of the printed output, it has the objects that are
   * named.
   */
  get whole(): unknown {
    const { mirror, printed } = this;
    return {
      objects: [...mirror.objects.values()],
      rules: [...mirror.rules],
      sets: SETS.map((name) => [...this[name]].sort()),
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

/** The kind of a resource's object; undefined for a component. */
export function kindOf({ type, isCustom }: Resource): Kind | undefined {
  return isCustom ? (type.split(":").at(-1) as Kind) : undefined;
}
