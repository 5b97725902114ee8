import { applyChanges } from "./apply-changes";
import type { RuleSetDiff } from "./rule-change";
import type { Rule } from "../rule-set/rule";

/** How many past events a change decides differently. */
export interface TouchedEvents {
  readonly newlyDenied: number;
  readonly newlyAllowed: number;
  /** Events for which the effect depends on data that they lack. */
  readonly cannotTell: number;
}

/** The effects of a diff on past events. */
export interface DiffOnEvents {
  /** RFC 3339, UTC; `end` is excluded. */
  readonly range: { readonly start: string; readonly end: string };
  /** Past events in all. */
  readonly events: number;
  /** Rows of the source that could not be read, so that nothing is known of their events. Absent if there are none. */
  readonly unreadable?: number;
  /** The effect of each change, in the order of the diff. The changes before it are already made. */
  readonly changes: readonly TouchedEvents[];
  /** What all changes do together. */
  readonly total: TouchedEvents;
}

/** The numbers of an impact that `diffOnEvents` needs. */
export interface MeasuredOutcomes extends Pick<
  DiffOnEvents,
  "range" | "events"
> {
  readonly rows?: {
    readonly unreadable: readonly { readonly rows: number }[];
  };
  readonly total: Readonly<
    Record<keyof TouchedEvents, { readonly value: number }>
  >;
}

const NOTHING: TouchedEvents = {
  newlyDenied: 0,
  newlyAllowed: 0,
  cannotTell: 0,
};

/**
 * Counts the past events that each change of a diff decides differently. A change that
 * is proven to change no decision is not measured.
 * @param measure what proposed rules do to all past events
 */
export async function diffOnEvents(
  before: readonly Rule[],
  { changes }: RuleSetDiff,
  measure: (sets: {
    readonly inForce: readonly Rule[];
    readonly proposed: readonly Rule[];
  }) => Promise<MeasuredOutcomes>,
): Promise<DiffOnEvents> {
  const after = applyChanges(before, changes);
  const all = await measure({ inForce: before, proposed: after });
  const total = touchedBy(all);
  const touched: TouchedEvents[] = [];
  let inForce = before;
  for (const change of changes) {
    const proposed = applyChanges(inForce, [change]);
    const isProven = change.effect.class === "none";
    if (changes.length === 1) touched.push(total);
    else if (isProven) touched.push(NOTHING);
    else touched.push(touchedBy(await measure({ inForce, proposed })));
    inForce = proposed;
  }
  const { range, events, rows } = all;
  const unreadable = (rows?.unreadable ?? []).reduce((n, of) => n + of.rows, 0);
  return {
    ...{ range, events, changes: touched, total },
    ...(unreadable > 0 && { unreadable }),
  };
}

const touchedBy = ({ total }: MeasuredOutcomes): TouchedEvents => ({
  newlyDenied: total.newlyDenied.value,
  newlyAllowed: total.newlyAllowed.value,
  cannotTell: total.cannotTell.value,
});
