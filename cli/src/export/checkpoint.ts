import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../usage-error";
import { writeFileAtomically } from "../write-file-atomically";

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
