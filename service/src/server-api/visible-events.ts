import type { Event } from "@devid/sdk";
import { AnswerError } from "../http/answer-error";
import { secretKeyOf } from "../http/caller";
import type { Call } from "../http/operation";
import type { EventRow } from "../store/events";
import type { Store } from "../store/store";
import { hiddenMembers, settingsOf } from "../workspace/settings";

/** The form of an event ID (docs/assumptions.md, A111). */
export const EVENT_ID = /^[\w.-]{1,64}$/;

/** What a caller may see of the events of a workspace. */
export interface Visibility {
  /** The members that answers leave out. */
  readonly hidden: ReadonlySet<string>;
  /**
   * The environment that the key is limited to; null for a key without a limit.
   */
  readonly environment: string | null;
}

/** What a caller may see (docs/contract.md, "Events authentication"). */
export function visibilityOf(store: Store, call: Call): Visibility {
  const environment = secretKeyOf(call.caller)?.environment ?? null;
  const { signals } = settingsOf(store, call.workspace);
  return { hidden: hiddenMembers(signals), environment };
}

/** A stored event without its hidden members. */
export function visibleEvent(
  body: string,
  { hidden }: Pick<Visibility, "hidden">,
): Event {
  // A stored event was checked when it was stored.
  const event = JSON.parse(body) as Event;
  if (hidden.size === 0) return event;
  const shown = Object.entries(event).filter(([name]) => !hidden.has(name));
  return Object.fromEntries(shown) as Event;
}

/**
 * The same as JSON. Without hidden members the stored text is sent as it is.
 */
export function visibleText(
  body: string,
  visibility: Pick<Visibility, "hidden">,
): string {
  return visibility.hidden.size === 0
    ? body
    : JSON.stringify(visibleEvent(body, visibility));
}

/**
 * The stored event that the path names. Throws AnswerError where there is none,
 * or the key may not see it (docs/assumptions.md, A58).
 */
export function eventOf(
  store: Store,
  { workspace, id }: Call,
  { environment }: Visibility,
): EventRow {
  if (!EVENT_ID.test(id))
    throw new AnswerError("request_cannot_be_parsed", "invalid event_id");
  const row = store.events.get(workspace, id);
  if (!row || (environment !== null && row.environment_id !== environment))
    throw new AnswerError("event_not_found", "event id not found");
  return row;
}
