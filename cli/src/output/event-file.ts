import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { fileError, UsageError } from "../errors";
import { writeFileAtomically } from "./write-output";

const Checkpoint = z.strictObject({
  version: z.literal(2),
  /**
   * The workspace and the filters of the export; a later export must have the
   * same to continue the file.
   */
  asked: z.record(z.string(), z.unknown()),
  /**
   * The file has every event from `start` to `completeUntil`, both included.
   * Unix milliseconds.
   */
  start: z.number(),
  completeUntil: z.number().optional(),
  /** Whether an export stopped before it reached its end. */
  isBrokenOff: z.boolean(),
  /** Bytes of the file that are valid; any bytes after them are discarded. */
  bytes: z.int().min(0),
  events: z.int().min(0),
  /** Time of the last event, and the IDs of all events of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
});

/**
 * Describes what a file of events holds. It is stored next to the file, so that
 * the next export can continue.
 */
type Checkpoint = z.output<typeof Checkpoint>;

/** What an export should write to a file. */
export interface EventFileRequest {
  readonly path: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /**
   * Time of the first event in Unix milliseconds; if left out, the checkpoint
   * of the file decides.
   */
  readonly start?: number;
  /** Whether to start again, even if the file exists. */
  readonly force: boolean;
}

/**
 * A file of events, one per line in the order of their time. Its checkpoint says which
 * events it holds. A later export continues an interrupted file, or adds the newer
 * events to a complete file. The checkpoint counts only what is on the disk, so after
 * a kill the next export removes the lines that it does not count.
 */
export class EventFile {
  #lines: string[] = [];
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
  static open({ path, asked, start, force }: EventFileRequest): EventFile {
    const found = force ? undefined : readCheckpoint(path);
    if (found) refuseOther(found, { path, asked, start });
    else if (!force && existsSync(path))
      throw new UsageError(
        `${path} exists, but no export of events has written it. Overwrite it with --force.`,
      );
    const begun = found ?? begin(start, asked);
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
      writeCheckpoint(path, file.checkpoint);
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

  /**
   * Time in Unix milliseconds from which events are missing. The file may
   * already have some events of exactly that time.
   */
  get goesOnFrom(): number {
    const { start, completeUntil = start, last } = this.checkpoint;
    return Math.max(completeUntil, last?.timestamp ?? start);
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

  /** Writes all added events to the disk. */
  flush(): void {
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
    writeCheckpoint(this.path, {
      ...this.checkpoint,
      ...(last && { last: { ...last, ids: [...this.#seen] } }),
    });
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
    this.flush();
    this.close();
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const checkpointOf = (file: string) => `${file}.checkpoint`;

function readCheckpoint(file: string): Checkpoint | undefined {
  const path = checkpointOf(file);
  if (!existsSync(path)) return undefined;
  try {
    return Checkpoint.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `${path} is not a checkpoint that can be read. Start over with --force, or give another --out.`,
    );
  }
}

function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  const path = checkpointOf(file);
  if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
  writeFileAtomically(path, `${JSON.stringify(checkpoint)}\n`);
}

function begin(
  start: number | undefined,
  asked: Checkpoint["asked"],
): Checkpoint {
  if (start === undefined)
    throw new UsageError(
      "The start of the export is missing. Give --since or --start.",
    );
  return {
    ...{ version: 2, asked, start },
    ...{ isBrokenOff: true, bytes: 0, events: 0 },
  };
}

function refuseOther(
  found: Checkpoint,
  { path, asked, start }: Omit<EventFileRequest, "force">,
): void {
  if (!isDeepStrictEqual(found.asked, JSON.parse(JSON.stringify(asked))))
    throw new UsageError(
      `${path} is an export of something else: ${JSON.stringify(found.asked)}. Ask for the same to go on, give another --out, or start over with --force.`,
    );
  if (start !== undefined && start < found.start)
    throw new UsageError(
      `${path} begins at ${new Date(found.start).toISOString()}, and nothing can be put before that. Give another --out, or start over with --force.`,
    );
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
