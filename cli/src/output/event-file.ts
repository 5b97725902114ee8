import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { UsageError } from "../errors";
import { writeFileAtomically } from "./write-output";

const Checkpoint = z.strictObject({
  version: z.literal(2),
  /** Whose events these are, and by which filters they were chosen: an export goes on only with the same. */
  asked: z.record(z.string(), z.unknown()),
  /** The file has every event from `start` until `completeUntil`, both included. Unix milliseconds. */
  start: z.number(),
  completeUntil: z.number().optional(),
  /** Whether an export that was to go further was broken off. */
  isBrokenOff: z.boolean(),
  /** Length of the file up to here; what is behind it does not count. */
  bytes: z.int().min(0),
  events: z.int().min(0),
  /** Time of the last event, and the IDs of all events of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
});

/** What a file of events holds; it stands beside the file, for the next export to go on from. */
type Checkpoint = z.output<typeof Checkpoint>;

/** What an export is to bring into a file. */
export interface EventFileRequest {
  readonly path: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Time of the first event; left out where the file is to tell. Unix milliseconds. */
  readonly start?: number;
  /** Whether to begin anew, whatever there is. */
  readonly force: boolean;
}

/**
 * A file of events, one a line in the order of their time. Its checkpoint tells
 * what it holds, so that an export goes on where the one before was broken off,
 * and a complete one with what has happened since. It survives a kill: what the
 * checkpoint counts is on the disk, and what came behind it is cut off.
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
   * Opens a new file, or one that an export has written.
   * @throws UsageError for a file that is something else, that was chosen by other
   * filters, that begins later than asked for, or that has changed since
   */
  static open({ path, asked, start, force }: EventFileRequest): EventFile {
    const found = force ? undefined : readCheckpoint(path);
    if (found) refuseOther(found, { path, asked, start });
    else if (!force && existsSync(path))
      throw new UsageError(
        `${path} exists, and no export of events has written it. Overwrite it with --force.`,
      );
    const begun = found ?? begin(start, asked);
    try {
      const descriptor = openSync(path, found ? "r+" : "w");
      ftruncateSync(descriptor, begun.bytes);
      const file = new EventFile(path, descriptor, {
        ...begun,
        isBrokenOff: true,
      });
      writeCheckpoint(path, file.checkpoint);
      return file;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === undefined
        ? error
        : new UsageError(`${path} cannot be written: ${code}.`);
    }
  }

  /** How far it has come, lines that are still in memory included. */
  get progress(): Pick<Checkpoint, "start" | "bytes" | "events"> {
    return this.checkpoint;
  }

  /** Time from which on events are missing; of exactly that time some may be there. Unix milliseconds. */
  get goesOnFrom(): number {
    const { start, completeUntil = start, last } = this.checkpoint;
    return Math.max(completeUntil, last?.timestamp ?? start);
  }

  /** Adds an event, unless it is in the file already. Events come in the order of their time. */
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

  /** Brings everything that was added to the disk. */
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

  /** Ends an export that has brought every event until then, that time included. */
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
  if (!existsSync(path)) writeFileSync(path, "");
  writeFileAtomically(path, `${JSON.stringify(checkpoint)}\n`);
}

function begin(
  start: number | undefined,
  asked: Checkpoint["asked"],
): Checkpoint {
  if (start === undefined)
    throw new UsageError("From when on? Give --since or --start.");
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
      `${path} has changed since it was exported: it has ${size} bytes in place of ${found.bytes}. Give another --out, or start over with --force.`,
    );
}
