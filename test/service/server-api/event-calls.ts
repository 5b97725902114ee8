import type { Event } from "@devid/sdk";
import type { Region } from "@devid/service";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender, type Send } from "../sender.js";

/** Some members of an event, in the form of the control call. */
export type EventPart = Record<string, unknown>;

/** A page of a search. */
export interface EventPage {
  readonly events: Event[];
  readonly pagination_key?: string;
  readonly total_hits?: number;
}

/** Calls of version 4, with the secret key of a region. */
export function sendEvents(
  local: LocalWorkspace,
  region: Region = "us",
  key?: string,
): Send {
  return sender(() => {
    const token = key ?? local.service.workspaces[region].secretKey;
    const headers = { authorization: `Bearer ${token}` };
    return [`${local.url}/${region}/v4`, headers];
  });
}

/** Stores events, and returns them with all their members. */
export async function addEvents(
  { controlCall }: LocalWorkspace,
  events: readonly EventPart[],
  region: Region = "us",
): Promise<Event[]> {
  const answer = await controlCall("POST", `/${region}/events`, {
    body: events,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Event[];
}

/** One page of a search. Fails if the search is refused. */
export async function searchPage(
  send: Send,
  query: string | URLSearchParams = "",
): Promise<EventPage> {
  const answer = await send("GET", `/events?${String(query)}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as EventPage;
}

/** The pages of a search, from the first to the last. */
export async function* searchPages(
  send: Send,
  query: string | URLSearchParams,
): AsyncGenerator<EventPage, void, undefined> {
  const parameters = new URLSearchParams(query);
  for (;;) {
    const page = await searchPage(send, parameters);
    yield page;
    if (page.pagination_key === undefined) return;
    parameters.set("pagination_key", page.pagination_key);
  }
}

/** IDs of events. */
export const idsOf = (events: readonly Event[]) =>
  events.map(({ event_id }) => event_id);
