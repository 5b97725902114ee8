import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { Event } from "@devid/sdk";
import { z } from "zod";
import { UsageError } from "../errors";
import { writeFileAtomically } from "./write-output";

const Checkpoint = z.strictObject({
  version: z.literal(1),
  /** What was asked for, as the flags had it: an export goes on only with the same. */
  asked: z.record(z.string(), z.unknown()),
  /** The stretch of time, fixed when the export began. Unix milliseconds. */
  start: z.number(),
  end: z.number(),
  /** Length of the file up to here; what is behind it does not count. */
  bytes: z.int().min(0),
  events: z.int().min(0),
  /** Time of the last event, and every event of that time so far. */
  last: z
    .strictObject({ timestamp: z.number(), ids: z.array(z.string()) })
    .optional(),
});

/** How far an export has come; it stands beside the file until the export is done. */
export type Checkpoint = z.output<typeof Checkpoint>;

const pathOf = (file: string) => `${file}.checkpoint`;

/** The checkpoint of a file, if it has one. @throws UsageError where it cannot be read */
export function readCheckpoint(file: string): Checkpoint | undefined {
  const path = pathOf(file);
  if (!existsSync(path)) return undefined;
  try {
    return Checkpoint.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `${path} is not a checkpoint that can be read. Start over with --force, or give another --out.`,
    );
  }
}

/** Writes a checkpoint, all of it or nothing. */
export function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  const path = pathOf(file);
  if (!existsSync(path)) writeFileSync(path, "");
  writeFileAtomically(path, `${JSON.stringify(checkpoint)}\n`);
}

/** Takes the checkpoint away: the export is done, or starts over. */
export function removeCheckpoint(file: string): void {
  rmSync(pathOf(file), { force: true });
}

/**
 * A file of events, one a line in the order of their time, that survives a
 * kill: what its checkpoint counts is on the disk, and what came behind is cut
 * off when the export goes on.
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
   * Opens a new file, or one whose export was broken off.
   * @throws UsageError for a file that is something else, or was asked for otherwise
   */
  static open(path: string, begun: Checkpoint, force: boolean): EventFile {
    const found = force ? undefined : readCheckpoint(path);
    if (found && JSON.stringify(found.asked) !== JSON.stringify(begun.asked))
      throw new UsageError(
        `${path} is half an export of something else: ${JSON.stringify(found.asked)}. Ask for the same to go on, or start over with --force.`,
      );
    if (!found && !force && existsSync(path))
      throw new UsageError(`${path} exists. Overwrite it with --force.`);
    if (found && sizeOf(path) < found.bytes)
      throw new UsageError(
        `${path} has less in it than its checkpoint says. Start over with --force.`,
      );
    try {
      const descriptor = openSync(path, found ? "r+" : "w");
      const file = new EventFile(path, descriptor, found ?? begun);
      ftruncateSync(descriptor, file.checkpoint.bytes);
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
  get progress(): Checkpoint {
    return this.checkpoint;
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

  /** Ends the export: nothing is left to go on with. */
  finish(): void {
    this.flush();
    this.close();
    removeCheckpoint(this.path);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const sizeOf = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.size ?? -1;
