import type { Event } from "./event";

/** The web origin of an event: the one that it names, else that of its web address. */
export function originOf({
  origin,
  url,
}: Pick<Event, "origin" | "url">): string | undefined {
  if (typeof origin === "string") return origin;
  if (!url || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}
