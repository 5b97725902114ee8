import type { Context } from "../context";
import type { Call } from "../http/operation";
import {
  type Condition,
  eventConditions,
  type EventFilters,
} from "../store/event-conditions";
import {
  ANY_AGE,
  findEvents,
  type FoundEvents,
  searchWindow,
} from "./find-events";
import { settingsOf } from "../workspace/settings";
import { type Visibility, visibilityOf } from "./visible-events";

/** A search as versions 4 and 3 take it; the members left are filters. */
interface VisibleSearch extends EventFilters {
  /** The name of the operation, so that its pagination keys work for it alone. */
  readonly kind: string;
  readonly limit: number;
  readonly totalHits?: number | undefined;
  readonly pagination_key?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

interface OtherFilters {
  readonly values: object;
  readonly conditions: (hidden: ReadonlySet<string>) => readonly Condition[];
}

/** Finds a page of the events that the caller may see. */
export async function searchVisible(
  context: Context,
  call: Call<unknown, unknown>,
  search: VisibleSearch,
  others: OtherFilters = { values: {}, conditions: () => [] },
): Promise<FoundEvents & { readonly visibility: Visibility }> {
  const { clock, store } = context;
  const { workspace, signal } = call;
  const {
    kind,
    limit,
    totalHits,
    pagination_key: paginationKey,
    reverse = false,
    start,
    end,
    ...filters
  } = search;
  const visibility = visibilityOf(store, call);
  const { conditions, environment, hidden } = visibility;
  const range = { start, end };
  // Later pages keep the range of the first one, however long ago that was.
  const { lookbackDays } = paginationKey
    ? ANY_AGE
    : settingsOf(store, workspace);
  const found = await findEvents(context, {
    workspace,
    conditions: [
      ...conditions,
      ...eventConditions(filters, hidden),
      ...others.conditions(hidden),
    ],
    ...searchWindow(range, clock.nowMs(), lookbackDays),
    reverse,
    limit,
    identity: JSON.stringify([
      kind,
      workspace,
      environment,
      { reverse, ...range, ...filters, ...others.values },
    ]),
    totalHits,
    paginationKey,
    signal,
  });
  return { visibility, ...found };
}
