import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { foundAt } from "@devid/rules/internals";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { fileError, UsageError } from "../errors";
import { writing } from "../interruption";
import { writeWhole } from "./write-whole";
import { writeFileAtomically } from "./write-output";

/**
 * What a file of events holds. It is stored next to the file, and the next export reads it
 * to continue. It counts only what is on the disk.
 */
const Checkpoint = z.object({
  version: z.literal(2),
  /**
   * The workspace and the filters of the export; a later export must have the
   * same to continue.
   */
  asked: z.record(z.string(), z.unknown()),
  /** Every event from `start` to `last` is there. Unix milliseconds. */
  start: z.number(),
  events: z.int().min(0),
  /** Time of the last event, and the IDs of all events of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
  /** Whether an export stopped before it reached its end. */
  isBrokenOff: z.boolean(),
  /** Bytes of the file that are valid; any bytes after them are discarded. */
  bytes: z.int().min(0),
});
type Checkpoint = z.output<typeof Checkpoint>;

/** What an export should write, and where to. */
export interface EventsRequest {
  readonly path: string;
  readonly asked: Checkpoint["asked"];
  /**
   * Time of the first event in Unix milliseconds; if left out, the checkpoint decides.
   */
  readonly start?: number;
  /** Whether to start again, even if there are events. */
  readonly force: boolean;
}

/**
 * A file of events, one per line, in the order of their time, and the checkpoint that says
 * which they are. The checkpoint counts only what is on the disk, so after a kill or a failed
 * write the next export goes on without gaps and without duplicate events.
 */
export class EventFile {
  #added: Event[] = [];
  /** Whether a write has failed, after which the disk may hold a part of what was added. */
  #hasFailed = false;
  /** IDs of the last events, which have one time. */
  #seen: Set<string>;
  /** What this export has last written to the checkpoint's file. */
  #kept = "";

  private constructor(
    private readonly path: string,
    private readonly descriptor: number,
    private checkpoint: Checkpoint,
  ) {
    this.#seen = new Set(checkpoint.last?.ids);
    this.#keep();
  }

  /**
   * Opens a file that an earlier export wrote, or makes a new file that only its owner
   * can read.
   * @throws UsageError for a file that no export wrote, that has other filters,
   * that begins later than requested, or that has changed since; for a folder or a device
   */
  static open(request: EventsRequest): EventFile {
    const { path, asked, force } = request;
    // As root, the new mode of /dev/null would keep every other user from it.
    if (foundAt(path)?.isFile() === false)
      throw new UsageError(
        `${path} is a folder, a device, a pipe or a socket. Name a plain file with --out.`,
      );
    const found = force ? undefined : readCheckpoint(checkpointOf(path));
    if (found) refuseOther(found, request);
    // A kill before the first checkpoint leaves an empty file.
    else if (!force && isFilled(path))
      throw new UsageError(
        `${path} exists, but no export of events has written it. Overwrite it with --force.`,
      );
    const { start = found?.start } = request;
    if (start === undefined)
      throw new UsageError("The start of the export is missing. Give --since.");
    const begun = found ?? {
      ...{ version: 2 as const, asked, start },
      ...{ isBrokenOff: true, bytes: 0, events: 0 },
    };
    try {
      // Events are personal data. A file that is continued keeps its mode.
      const descriptor = openSync(path, found ? "r+" : "w", 0o600);
      if (!found) {
        fchmodSync(descriptor, 0o600);
        rmSync(checkpointOf(path), { force: true });
      }
      ftruncateSync(descriptor, begun.bytes);
      return new EventFile(path, descriptor, { ...begun, isBrokenOff: true });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined
        ? error
        : fileError(path, "written", error);
    }
  }

  /** The progress of the export, including events that are still in memory. */
  get progress() {
    const { start, events, bytes } = this.checkpoint;
    return { start, events: events + this.#added.length, bytes };
  }

  /**
   * Time in Unix milliseconds from which events are missing. Some events of exactly that
   * time may be there. It is a time of the service, because this machine's clock may be ahead.
   */
  get missingFrom(): number {
    const { start, last } = this.checkpoint;
    return last?.timestamp ?? start;
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

  /**
   * Writes the added events.
   * @throws UsageError if they cannot be written, or if another program has changed the file
   */
  flush(): void {
    const last = this.#added.at(-1);
    if (!last) return;
    this.#refuseChanged();
    this.#hasFailed = true;
    const { bytes, events } = this.checkpoint;
    const lines = this.#added.map((event) => `${JSON.stringify(event)}\n`);
    const text = Buffer.from(lines.join(""));
    writing(this.path, () => {
      writeWhole(this.descriptor, text, bytes);
      fdatasyncSync(this.descriptor);
    });
    this.checkpoint = {
      ...this.checkpoint,
      bytes: bytes + text.length,
      events: events + this.#added.length,
      last: { timestamp: last.timestamp, ids: [...this.#seen] },
    };
    this.#added = [];
    this.#keep();
    this.#hasFailed = false;
  }

  /** Ends an export that has added every event. */
  finish(): void {
    this.flush();
    this.#refuseChanged();
    this.checkpoint = { ...this.checkpoint, isBrokenOff: false };
    this.#keep();
    closeSync(this.descriptor);
  }

  /** Ends an export that has failed or was stopped, and keeps what it has. */
  breakOff(): void {
    try {
      if (!this.#hasFailed) this.flush();
    } catch {
      // The checkpoint counts what is on the disk, and the export ends with an error anyway.
    } finally {
      this.#added = [];
      closeSync(this.descriptor);
    }
  }

  /** Writes the checkpoint to a file that only its owner can read. */
  #keep(): void {
    const path = checkpointOf(this.path);
    if (!existsSync(path))
      writing(path, () => writeFileSync(path, "", { mode: 0o600 }));
    this.#kept = `${JSON.stringify(this.checkpoint)}\n`;
    writeFileAtomically(path, this.#kept);
  }

  /**
   * Two exports of one file would mix their events, and a file that was removed or replaced
   * would not get them. So the export that finds such a change stops.
   * @throws UsageError
   */
  #refuseChanged(): void {
    const { path } = this;
    const { ino, size } = fstatSync(this.descriptor);
    const checkpoint = checkpointOf(path);
    if (
      foundAt(path)?.ino === ino &&
      size === this.checkpoint.bytes &&
      isFilled(checkpoint) &&
      readFileSync(checkpoint, "utf8") === this.#kept
    )
      return;
    throw new UsageError(
      `Another program, perhaps another export, has changed ${path} or its checkpoint. This export has stopped writing there. Run one export at a time for each file.`,
    );
  }
}

const checkpointOf = (file: string) => `${file}.checkpoint`;

/** Whether there is a file at a path that is not empty. */
const isFilled = (path: string) => (foundAt(path)?.size ?? 0) > 0;

/**
 * The checkpoint in a file; undefined if there is no file, or an empty one, which a kill
 * before the first checkpoint leaves.
 * @throws UsageError for a file that is no such checkpoint
 */
function readCheckpoint(path: string): Checkpoint | undefined {
  if (!isFilled(path)) return undefined;
  try {
    return Checkpoint.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `${path} is not a checkpoint that can be read. Start over with --force, or give another --out.`,
    );
  }
}

/**
 * Refuses to continue an export with other filters, or with an earlier start, or a file that
 * has changed since.
 * @throws UsageError
 */
function refuseOther(
  found: Checkpoint,
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
  const size = foundAt(path)?.size;
  if (size === undefined)
    throw new UsageError(
      `${path} is gone, and ${checkpointOf(path)} is still there. Bring it back to go on, or start over with --force.`,
    );
  if (size < found.bytes || (size > found.bytes && !found.isBrokenOff))
    throw new UsageError(
      `${path} has changed since it was exported: it has ${size} bytes instead of ${found.bytes}. Give another --out, or start over with --force.`,
    );
}
