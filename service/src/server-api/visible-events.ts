import type { Event } from "@devid/sdk";
import { AnswerError } from "../http/answer-error";
import { secretKeyOf } from "../http/caller";
import type { Call } from "../http/operation";
import type { Condition } from "../store/events/event-conditions";
import type { EventRow } from "../store/events/events";
import type { Store } from "../store/store";
import { hiddenMembers, settingsOf } from "./settings";

/** What an event ID looks like (docs/assumptions.md, A111). */
export const EVENT_ID = /^[\w.-]{1,64}$/;

/** What a caller may see of the events of its workspace. */
interface Sight {
  /** Members that are left out. */
  readonly hidden: ReadonlySet<string>;
  /** The environment of a scoped key; null: every one. */
  readonly environment: string | null;
  /** What the scope asks of an event. */
  readonly conditions: readonly Condition[];
}

/** The sight of a caller (docs/contract.md, "Events authentication"). */
export function sightOf(store: Store, call: Call<unknown, unknown>): Sight {
  const environment = secretKeyOf(call.caller)?.environment ?? null;
  const { signals } = settingsOf(store, call.workspace);
  return {
    hidden: hiddenMembers(signals),
    environment,
    conditions:
      environment === null
        ? []
        : [{ sql: "environment_id = ?", values: [environment] }],
  };
}

/** A stored event without what is not to be seen. */
export function visibleEvent(
  body: string,
  { hidden }: Pick<Sight, "hidden">,
): Event {
  // What is stored was checked when it was stored.
  const event = JSON.parse(body) as Event;
  if (hidden.size === 0) return event;
  const shown = Object.entries(event).filter(([name]) => !hidden.has(name));
  return Object.fromEntries(shown) as Event;
}

/** The same as JSON: as it is stored, where nothing is to be left out. */
export function visibleText(
  body: string,
  sight: Pick<Sight, "hidden">,
): string {
  return sight.hidden.size === 0
    ? body
    : JSON.stringify(visibleEvent(body, sight));
}

/** The stored event that the path names. Throws AnswerError: there is none, or not for this key (docs/assumptions.md, A58). */
export function eventOf(
  store: Store,
  { workspace, id }: Call<unknown, unknown>,
  { environment }: Sight,
): EventRow {
  if (!EVENT_ID.test(id))
    throw new AnswerError("request_cannot_be_parsed", "invalid event_id");
  const row = store.events.get(workspace, id);
  if (!row || (environment !== null && row.environment_id !== environment))
    throw new AnswerError("event_not_found", "event id not found");
  return row;
}
