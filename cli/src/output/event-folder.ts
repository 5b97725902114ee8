import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "@devid/sdk";
import { EventParts } from "@devid/warehouse";
import { z } from "zod";
import { UsageError } from "../errors";
import {
  EventCheckpoint,
  ExportedEvents,
  readCheckpoint,
  refuseOther,
  startOf,
  type EventsRequest,
} from "./exported-events";

const Checkpoint = EventCheckpoint.extend({
  version: z.literal(1),
  /** Number of valid parts. Any later part is left over from a killed export. */
  parts: z.int().min(0),
});

type Checkpoint = z.output<typeof Checkpoint>;

/** Events of a part. They are in memory until the part is written. */
const PART_EVENTS = 50_000;

/** A folder of events as Parquet. The checkpoint counts the valid parts. */
export class EventFolder extends ExportedEvents<Checkpoint> {
  protected readonly atEnd = {};

  private constructor(
    path: string,
    private readonly parts: EventParts,
    checkpoint: Checkpoint,
  ) {
    super(checkpointOf(path), checkpoint, PART_EVENTS);
    this.keep();
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
    return new EventFolder(path, parts, begun);
  }

  protected async write(
    events: readonly Event[],
  ): Promise<Partial<Checkpoint>> {
    const parts = this.checkpoint.parts + 1;
    await this.parts.write(parts, events);
    return { parts };
  }

  close(): Promise<void> {
    return this.parts.close();
  }
}

const checkpointOf = (folder: string) => join(folder, "checkpoint.json");
