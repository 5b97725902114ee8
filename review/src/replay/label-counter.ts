import type { EventGroup } from "./event-group";
import type { LabelledOutcomes, Labels, Outcomes } from "./impact";

/** Values that are counted separately; all others are counted together. */
const MOST_VALUES = 100;

/** Counts the outcomes of events by the value of a label, in bounded memory. */
export class LabelCounter {
  readonly #counts = new Map<string | undefined, Counts>();
  readonly #others = noCounts();

  /** @param by a member of the event, such as `tags.suspect` */
  constructor(readonly by: string) {}

  add(group: EventGroup, outcome: keyof Outcomes): void {
    const { label, events, hasOtherLabels } = group;
    const counts = hasOtherLabels ? this.#others : this.#countsOf(label);
    counts.events += events;
    counts[outcome] += events;
  }

  labels(): Labels {
    const { by } = this;
    const values = [...this.#counts]
      .map(([value, counts]): LabelledOutcomes => ({
        ...(value !== undefined && { value }),
        ...counts,
      }))
      .sort((a, b) => b.events - a.events || inOrder(a.value, b.value));
    return this.#others.events > 0
      ? { by, values, others: this.#others }
      : { by, values };
  }

  #countsOf(value: string | undefined): Counts {
    const known = this.#counts.get(value);
    if (known) return known;
    if (this.#counts.size >= MOST_VALUES && value !== undefined)
      return this.#others;
    const counts = noCounts();
    this.#counts.set(value, counts);
    return counts;
  }
}

type Counts = { events: number } & Record<keyof Outcomes, number>;

const noCounts = (): Counts => ({
  events: 0,
  newlyDenied: 0,
  newlyAllowed: 0,
  unchanged: 0,
  cannotTell: 0,
});

function inOrder(a: string | undefined, b: string | undefined): number {
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
