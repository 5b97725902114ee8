import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
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
export type EventCheckpoint = z.output<typeof EventCheckpoint>;

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

/** Writes a checkpoint to a file that only its owner can read. */
export function writeCheckpoint(
  path: string,
  checkpoint: EventCheckpoint,
): void {
  if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
  writeFileAtomically(path, `${JSON.stringify(checkpoint)}\n`);
}

/** The start of a new export. @throws UsageError if the request has none */
export function startOf({ start }: EventsRequest): number {
  if (start !== undefined) return start;
  throw new UsageError(
    "The start of the export is missing. Give --since or --start.",
  );
}

/**
 * Time in Unix milliseconds from which events are missing. Some events of exactly that
 * time may be there.
 */
export function missingFrom(checkpoint: EventCheckpoint): number {
  const { start, completeUntil = start, last } = checkpoint;
  return Math.max(completeUntil, last?.timestamp ?? start);
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
