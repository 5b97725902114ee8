import type { Event } from "@devid/sdk";

/** Reads the events of a stretch of time, Unix milliseconds, both ends included, the oldest first. */
export type ReadEvents = (range: {
  readonly start: number;
  readonly end: number;
}) => AsyncIterable<Event>;
