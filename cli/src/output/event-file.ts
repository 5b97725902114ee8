import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { fileError, UsageError } from "../errors";
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
  version: z.literal(2),
  /** Whether an export stopped before it reached its end. */
  isBrokenOff: z.boolean(),
  /** Bytes of the file that are valid; any bytes after them are discarded. */
  bytes: z.int().min(0),
});

/** What a file of events holds. It is stored next to the file. */
type Checkpoint = z.output<typeof Checkpoint>;

/**
 * A file of events, one per line in the order of their time. Its checkpoint says which
 * events it holds. A later export continues an interrupted file, or adds the newer
 * events to a complete file. The checkpoint counts only what is on the disk, so after
 * a kill the next export removes the lines that it does not count.
 */
export class EventFile {
  #lines: string[] = [];
  /** Whether a flush has failed, after which the file may lack events that were added. */
  #hasFailed = false;
  #seen: Set<string>;

  private constructor(
    private readonly path: string,
    private readonly descriptor: number,
    private checkpoint: Checkpoint,
  ) {
    this.#seen = new Set(checkpoint.last?.ids);
  }

  /**
   * Opens a file that an earlier export wrote, or makes a new file that only its owner
   * can read.
   * @throws UsageError for a file that no export wrote, that has other filters,
   * that begins later than requested, or that has changed since
   */
  static open(request: EventsRequest): EventFile {
    const { path, asked, force } = request;
    const found = force
      ? undefined
      : readCheckpoint(checkpointOf(path), Checkpoint);
    if (found) refuseChanged(found, request);
    else if (!force && existsSync(path))
      throw new UsageError(
        `${path} exists, but no export of events has written it. Overwrite it with --force.`,
      );
    const begun = found ?? {
      ...{ version: 2 as const, asked, start: startOf(request) },
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
      const file = new EventFile(path, descriptor, {
        ...begun,
        isBrokenOff: true,
      });
      writeCheckpoint(checkpointOf(path), file.checkpoint);
      return file;
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined
        ? error
        : fileError(path, "written", error);
    }
  }

  /** The progress of the export, including lines that are still in memory. */
  get progress(): Pick<Checkpoint, "start" | "bytes" | "events"> {
    return this.checkpoint;
  }

  /** Time in Unix milliseconds from which events are missing. */
  get missingFrom(): number {
    return missingFrom(this.checkpoint);
  }

  /**
   * Adds an event, unless the file has it already. Events must come in the
   * order of their time.
   */
  add(event: Event): void {
    const { timestamp, event_id: id } = event;
    if (timestamp !== this.checkpoint.last?.timestamp) this.#seen = new Set();
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const line = `${JSON.stringify(event)}\n`;
    this.#lines.push(line);
    this.checkpoint = {
      ...this.checkpoint,
      bytes: this.checkpoint.bytes + Buffer.byteLength(line),
      events: this.checkpoint.events + 1,
      last: { timestamp, ids: [] },
    };
  }

  /**
   * Writes all added events to the disk. If a write fails, the checkpoint of the last flush
   * stays, and the next export continues there.
   */
  flush(): void {
    this.#hasFailed = true;
    const text = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    let position = this.checkpoint.bytes - text.length;
    for (let done = 0; done < text.length;) {
      const length = text.length - done;
      const written = writeSync(this.descriptor, text, done, length, position);
      done += written;
      position += written;
    }
    fdatasyncSync(this.descriptor);
    const { last } = this.checkpoint;
    writeCheckpoint(checkpointOf(this.path), {
      ...this.checkpoint,
      ...(last && { last: { ...last, ids: [...this.#seen] } }),
    });
    this.#hasFailed = false;
  }

  /** Ends an export that has added every event up to and including a time. */
  finish(until: number): void {
    const { completeUntil = until } = this.checkpoint;
    this.checkpoint = {
      ...this.checkpoint,
      completeUntil: Math.max(completeUntil, until),
      isBrokenOff: false,
    };
    this.flush();
    this.close();
  }

  /** Ends an export that is not complete, and keeps what it has. */
  breakOff(): void {
    try {
      if (!this.#hasFailed) this.flush();
    } finally {
      this.close();
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const checkpointOf = (file: string) => `${file}.checkpoint`;

/** Refuses a file that another export wrote, or that has changed since. @throws UsageError */
function refuseChanged(found: Checkpoint, request: EventsRequest): void {
  refuseOther(found, request);
  const { path } = request;
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw new UsageError(
      `${path} is gone, and ${checkpointOf(path)} is still there. Bring it back to go on, or start over with --force.`,
    );
  if (size < found.bytes || (size > found.bytes && !found.isBrokenOff))
    throw new UsageError(
      `${path} has changed since it was exported: it has ${size} bytes instead of ${found.bytes}. Give another --out, or start over with --force.`,
    );
}
