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
  ExportedEvents,
  readCheckpoint,
  refuseOther,
  startOf,
  type EventsRequest,
} from "./exported-events";

const Checkpoint = EventCheckpoint.extend({
  version: z.literal(2),
  /** Whether an export stopped before it reached its end. */
  isBrokenOff: z.boolean(),
  /** Bytes of the file that are valid; any bytes after them are discarded. */
  bytes: z.int().min(0),
});

/** What a file of events holds. It is stored next to the file. */
type Checkpoint = z.output<typeof Checkpoint>;

/** A file of events, one per line. */
export class EventFile extends ExportedEvents<Checkpoint> {
  protected readonly atEnd = { isBrokenOff: false };

  private constructor(
    path: string,
    private readonly descriptor: number,
    checkpoint: Checkpoint,
  ) {
    super(checkpointOf(path), checkpoint, 1);
    this.keep();
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
      return new EventFile(path, descriptor, { ...begun, isBrokenOff: true });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined
        ? error
        : fileError(path, "written", error);
    }
  }

  override get progress() {
    return { ...super.progress, bytes: this.checkpoint.bytes };
  }

  protected write(events: readonly Event[]): Partial<Checkpoint> {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`);
    const text = Buffer.from(lines.join(""));
    const { bytes } = this.checkpoint;
    for (let done = 0; done < text.length;) {
      const length = text.length - done;
      done += writeSync(this.descriptor, text, done, length, bytes + done);
    }
    fdatasyncSync(this.descriptor);
    return { bytes: bytes + text.length };
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
