import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Event } from "@devid/sdk";
import { DuckDb } from "./engines/duckdb";
import { copyEvents } from "./events-of-json";

/** Whole events stand in memory while their columns are written. */
const WRITING_MB = 640;

const PART = /^events-\d{6,}\.parquet$/;

/**
 * A folder of Parquet files: `events-000001.parquet` and so on. A file gets its name
 * only when it is complete. A part that is written again replaces the file with its
 * number, so no event is stored twice after a kill.
 */
export class EventParts {
  private constructor(
    private readonly folder: string,
    private readonly duckdb: DuckDb,
  ) {}

  /**
   * Opens the folder, and makes it if it is missing. @throws EventSourceError without
   * DuckDB
   */
  static async open(folder: string): Promise<EventParts> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const title = `the events to write to ${folder}`;
    const duckdb = await DuckDb.open({ title, memoryMb: WRITING_MB });
    return new EventParts(folder, duckdb);
  }

  /** Whether a folder has a part. */
  static areIn(folder: string): boolean {
    try {
      return readdirSync(folder).some((name) => PART.test(name));
    } catch {
      return false;
    }
  }

  /** Writes a part, which only its owner can read. @param number from 1 */
  async write(number: number, events: readonly Event[]): Promise<void> {
    const target = join(this.folder, nameOfPart(number));
    const [lines, draft] = [`${target}.ndjson`, `${target}.draft`];
    try {
      const text = events.map((event) => `${JSON.stringify(event)}\n`);
      writeFileSync(lines, text.join(""), { mode: 0o600 });
      await this.duckdb.run(copyEvents(lines, draft));
      chmodSync(draft, 0o600);
      renameSync(draft, target);
    } finally {
      rmSync(lines, { force: true });
      rmSync(draft, { force: true });
    }
  }

  /** Removes the parts from a number on, which an earlier export left unfinished. */
  removeFrom(number: number): void {
    for (const name of readdirSync(this.folder))
      if (PART.test(name) && Number(/\d+/.exec(name)?.[0]) >= number)
        rmSync(join(this.folder, name));
  }

  close(): Promise<void> {
    return this.duckdb.close();
  }
}

const nameOfPart = (number: number) =>
  `events-${String(number).padStart(6, "0")}.parquet`;
