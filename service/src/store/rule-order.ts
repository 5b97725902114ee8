import type { Placement } from "@devid/sdk/wire";
import type { z } from "zod";

type Placement = z.output<typeof Placement>;

/** A rule in the order, between its neighbours. */
interface Link {
  readonly id: string;
  before: Link;
  after: Link;
}

/**
 * The order in which the rules of an environment are evaluated. To place a rule
 * beside another one, or at the end, takes the same time in an order of any
 * length, so that a bulk call may place thousands.
 */
export class RuleOrder {
  private readonly links = new Map<string, Link>();
  /** A link that is no rule. It stands before the first rule and behind the last rule. */
  private readonly ends: Link;

  constructor(ids: readonly string[]) {
    const ends: Partial<Link> & { readonly id: string } = { id: "" };
    ends.before = ends as Link;
    ends.after = ends as Link;
    this.ends = ends as Link;
    for (const id of ids) this.place(id, {});
  }

  /**
   * Places a rule (docs/contract.md, "Placement"). A rule that is already in the order
   * moves. `position` counts from 0. A number beyond the end, or no placement, means
   * the end. A neighbour that is not in the order also means the end, but callers
   * refuse it before.
   */
  place(id: string, { position, after, before }: Placement): void {
    const old = this.links.get(id);
    if (old) {
      old.before.after = old.after;
      old.after.before = old.before;
      this.links.delete(id);
    }
    const next =
      position !== undefined
        ? this.at(position)
        : after !== undefined
          ? (this.links.get(after)?.after ?? this.ends)
          : (before !== undefined && this.links.get(before)) || this.ends;
    const link = { id, before: next.before, after: next };
    next.before.after = link;
    next.before = link;
    this.links.set(id, link);
  }

  /** The IDs of the rules in their order. */
  ids(): string[] {
    const ids: string[] = [];
    for (let link = this.ends.after; link !== this.ends; link = link.after)
      ids.push(link.id);
    return ids;
  }

  /** The rule at a position; `ends` if the order has fewer rules. */
  private at(position: number): Link {
    const { size } = this.links;
    let link = this.ends;
    if (position >= size) return link;
    if (position < size / 2)
      for (let i = 0; i <= position; i++) link = link.after;
    else for (let i = size; i > position; i--) link = link.before;
    return link;
  }
}
