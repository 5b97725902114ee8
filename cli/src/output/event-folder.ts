import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "@devid/sdk";
import { EventParts } from "@devid/warehouse";
import { z } from "zod";
import { UsageError } from "../errors";
import {
  EventCheckpoint,
  missingFrom,
  readCheckpoint,
  refuseOther,
  startOf,
  writeCheckpoint,
  type EventsRequest,
} from "./event-checkpoint";

const Checkpoint = EventCheckpoint.extend({
  version: z.literal(1),
  /** Number of valid parts. Any later part is left over from a killed export. */
  parts: z.int().min(0),
});

type Checkpoint = z.output<typeof Checkpoint>;

/** Events of a part. They are in memory until the part is written. */
const PART_EVENTS = 50_000;

/**
 * A folder of events as Parquet, in the order of their time. A checkpoint counts the
 * valid parts. After a kill, the next export continues behind them, without gaps and
 * without duplicate events.
 */
export class EventFolder {
  #events: Event[] = [];
  #seen: Set<string>;

  private constructor(
    private readonly path: string,
    private readonly parts: EventParts,
    private checkpoint: Checkpoint,
  ) {
    this.#seen = new Set(checkpoint.last?.ids);
  }

  /**
   * @throws UsageError for a folder whose parts no export wrote, that has other
   * filters, or that begins later than requested
   */
  static async open(request: EventsRequest): Promise<EventFolder> {
    const { path, asked, force } = request;
    const found = force
      ? undefined
      : readCheckpoint(checkpointOf(path), Checkpoint);
    if (found) refuseOther(found, request);
    else if (!force && EventParts.areIn(path))
      throw new UsageError(
        `${path} has events, but no checkpoint of an export. Overwrite them with --force, or give another --out.`,
      );
    const begun = found ?? {
      ...{ version: 1 as const, asked, start: startOf(request) },
      ...{ parts: 0, events: 0 },
    };
    const parts = await EventParts.open(path);
    if (force) rmSync(checkpointOf(path), { force: true });
    parts.removeFrom(begun.parts + 1);
    const folder = new EventFolder(path, parts, begun);
    folder.#keep();
    return folder;
  }

  /** The progress of the export, including events that are still in memory. */
  get progress(): { readonly start: number; readonly events: number } {
    const { start, events } = this.checkpoint;
    return { start, events: events + this.#events.length };
  }

  /** Time in Unix milliseconds from which events are missing. */
  get missingFrom(): number {
    return missingFrom(this.checkpoint);
  }

  /** Adds an event, unless the folder has it. Events must come in the order of their time. */
  add(event: Event): void {
    const { timestamp, event_id: id } = event;
    if (timestamp !== (this.#events.at(-1) ?? this.checkpoint.last)?.timestamp)
      this.#seen = new Set();
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#events.push(event);
  }

  /** Writes a part once it is full. */
  async flush(): Promise<void> {
    if (this.#events.length >= PART_EVENTS) await this.#write();
  }

  /** Ends an export that has added every event up to and including a time. */
  async finish(until: number): Promise<void> {
    await this.#write();
    const { completeUntil = until } = this.checkpoint;
    this.checkpoint = {
      ...this.checkpoint,
      completeUntil: Math.max(completeUntil, until),
    };
    this.#keep();
    await this.parts.close();
  }

  /** Ends an export that is not complete, and keeps what it has. */
  async breakOff(): Promise<void> {
    try {
      await this.#write();
    } finally {
      await this.parts.close();
    }
  }

  async #write(): Promise<void> {
    const last = this.#events.at(-1);
    if (!last) return;
    const parts = this.checkpoint.parts + 1;
    await this.parts.write(parts, this.#events);
    this.checkpoint = {
      ...this.checkpoint,
      parts,
      events: this.checkpoint.events + this.#events.length,
      last: { timestamp: last.timestamp, ids: [...this.#seen] },
    };
    this.#events = [];
    this.#keep();
  }

  #keep(): void {
    writeCheckpoint(checkpointOf(this.path), this.checkpoint);
  }
}

const checkpointOf = (folder: string) => join(folder, "checkpoint.json");
