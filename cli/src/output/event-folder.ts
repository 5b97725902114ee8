import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Event } from "@devid/sdk";
import { EventParts } from "@devid/warehouse";
import { z } from "zod";
import { UsageError } from "../errors";
import { writeFileAtomically } from "./write-output";

const Checkpoint = z.strictObject({
  version: z.literal(1),
  /** The workspace and the filters of the export. */
  asked: z.record(z.string(), z.unknown()),
  /** The parts have every event from `start` to `completeUntil`, both included. Unix milliseconds. */
  start: z.number(),
  completeUntil: z.number().optional(),
  /** Number of valid parts. Any later part is left over from a killed export. */
  parts: z.int().min(0),
  events: z.int().min(0),
  /** Time of the last event, and the IDs of all events of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
});

/** Describes what a folder of events holds, so that the next export can go on. */
type Checkpoint = z.output<typeof Checkpoint>;

/** Events of a part. They are in memory until the part is written. */
const PART_EVENTS = 50_000;

/** What an export should write to a folder. */
export interface EventFolderRequest {
  readonly path: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Unix milliseconds; if left out, the checkpoint of the folder decides. */
  readonly start?: number;
  /** Whether to start again, even if the folder has events. */
  readonly force: boolean;
}

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
  static async open({
    path,
    asked,
    start,
    force,
  }: EventFolderRequest): Promise<EventFolder> {
    const found = force ? undefined : readCheckpoint(path);
    if (found) refuseOther(found, { path, asked, start });
    else if (!force && EventParts.areIn(path))
      throw new UsageError(
        `${path} has events, but no checkpoint of an export. Overwrite them with --force, or give another --out.`,
      );
    if (!found && start === undefined)
      throw new UsageError(
        "The start of the export is missing. Give --since or --start.",
      );
    const begun = found ?? {
      ...{ version: 1 as const, asked, start: start ?? 0 },
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
  get goesOnFrom(): number {
    const { start, completeUntil = start, last } = this.checkpoint;
    return Math.max(completeUntil, last?.timestamp ?? start);
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
    const path = checkpointOf(this.path);
    if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
    writeFileAtomically(path, `${JSON.stringify(this.checkpoint)}\n`);
  }
}

const checkpointOf = (folder: string) => join(folder, "checkpoint.json");

function readCheckpoint(folder: string): Checkpoint | undefined {
  const path = checkpointOf(folder);
  if (!existsSync(path)) return undefined;
  try {
    return Checkpoint.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `${path} is not a checkpoint that can be read. Start over with --force, or give another --out.`,
    );
  }
}

function refuseOther(
  found: Checkpoint,
  { path, asked, start }: Omit<EventFolderRequest, "force">,
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
