import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { UsageError } from "../errors";
import { writeFileAtomically } from "./write-output";

/**
 * What a file or a folder of events holds. The next export reads it to continue. It
 * counts only what is on the disk.
 */
export const EventCheckpoint = z.strictObject({
  /**
   * The workspace and the filters of the export; a later export must have the
   * same to continue.
   */
  asked: z.record(z.string(), z.unknown()),
  /** Every event from `start` to `completeUntil` is there, both included. Unix milliseconds. */
  start: z.number(),
  completeUntil: z.number().optional(),
  events: z.int().min(0),
  /** Time of the last event, and the IDs of all events of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
});

/** The members that both forms of a checkpoint have. */
type EventCheckpoint = z.output<typeof EventCheckpoint>;

/** What an export should write, and where to. */
export interface EventsRequest {
  readonly path: string;
  readonly asked: EventCheckpoint["asked"];
  /**
   * Time of the first event in Unix milliseconds; if left out, the checkpoint decides.
   */
  readonly start?: number;
  /** Whether to start again, even if there are events. */
  readonly force: boolean;
}

/**
 * The checkpoint in a file; undefined if there is no file.
 * @throws UsageError for a file that is no such checkpoint
 */
export function readCheckpoint<C>(
  path: string,
  schema: z.ZodType<C>,
): C | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `${path} is not a checkpoint that can be read. Start over with --force, or give another --out.`,
    );
  }
}

/** The start of a new export. @throws UsageError if the request has none */
export function startOf({ start }: EventsRequest): number {
  if (start !== undefined) return start;
  throw new UsageError(
    "The start of the export is missing. Give --since or --start.",
  );
}

/**
 * Refuses to continue an export with other filters, or with an earlier start.
 * @throws UsageError
 */
export function refuseOther(
  found: EventCheckpoint,
  { path, asked, start }: EventsRequest,
): void {
  if (!isDeepStrictEqual(found.asked, JSON.parse(JSON.stringify(asked))))
    throw new UsageError(
      `${path} is an export of something else: ${JSON.stringify(found.asked)}. Ask for the same to go on, give another --out, or start over with --force.`,
    );
  if (start !== undefined && start < found.start)
    throw new UsageError(
      `${path} begins at ${new Date(found.start).toISOString()}, and nothing can be put before that. Give another --out, or start over with --force.`,
    );
}

/**
 * Exported events, in the order of their time, and the checkpoint that says which they are.
 * A later export continues there. The checkpoint counts only what is on the disk, so after
 * a kill or a failed write the next export goes on without gaps and without duplicate
 * events.
 */
export abstract class ExportedEvents<C extends EventCheckpoint> {
  #added: Event[] = [];
  /** Whether a write has failed, after which the disk may hold a part of what was added. */
  #hasFailed = false;
  /** IDs of the last events, which have one time. */
  #seen: Set<string>;

  protected constructor(
    private readonly checkpointPath: string,
    protected checkpoint: C,
    /** Events that are worth a write. */
    private readonly enough: number,
  ) {
    this.#seen = new Set(checkpoint.last?.ids);
  }

  /** Writes events, and returns what of the checkpoint changes. */
  protected abstract write(
    events: readonly Event[],
  ): Partial<C> | Promise<Partial<C>>;

  /** What of the checkpoint changes when the export is complete. */
  protected abstract readonly atEnd: Partial<C>;

  abstract close(): void | Promise<void>;

  /** The progress of the export, including events that are still in memory. */
  get progress(): { readonly start: number; readonly events: number } {
    const { start, events } = this.checkpoint;
    return { start, events: events + this.#added.length };
  }

  /**
   * Time in Unix milliseconds from which events are missing. Some events of exactly that
   * time may be there.
   */
  get missingFrom(): number {
    const { start, completeUntil = start, last } = this.checkpoint;
    return Math.max(completeUntil, last?.timestamp ?? start);
  }

  /** Adds an event, unless it is there already. Events must come in the order of their time. */
  add(event: Event): void {
    const { timestamp, event_id: id } = event;
    if (timestamp !== (this.#added.at(-1) ?? this.checkpoint.last)?.timestamp)
      this.#seen = new Set();
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#added.push(event);
  }

  /** Writes the added events, once they are enough. */
  async flush(): Promise<void> {
    if (this.#added.length >= this.enough) await this.#write();
  }

  /** Ends an export that has added every event up to and including a time. */
  async finish(until: number): Promise<void> {
    await this.#write();
    const { completeUntil = until } = this.checkpoint;
    this.checkpoint = {
      ...this.checkpoint,
      ...this.atEnd,
      completeUntil: Math.max(completeUntil, until),
    };
    this.keep();
    await this.close();
  }

  /** Ends an export that is not complete, and keeps what it has. */
  async breakOff(): Promise<void> {
    try {
      if (!this.#hasFailed) await this.#write();
    } finally {
      await this.close();
    }
  }

  async #write(): Promise<void> {
    const last = this.#added.at(-1);
    if (!last) return;
    this.#hasFailed = true;
    this.checkpoint = {
      ...this.checkpoint,
      ...(await this.write(this.#added)),
      events: this.checkpoint.events + this.#added.length,
      last: { timestamp: last.timestamp, ids: [...this.#seen] },
    };
    this.#added = [];
    this.keep();
    this.#hasFailed = false;
  }

  /** Writes the checkpoint to a file that only its owner can read. */
  protected keep(): void {
    const path = this.checkpointPath;
    if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
    writeFileAtomically(path, `${JSON.stringify(this.checkpoint)}\n`);
  }
}
