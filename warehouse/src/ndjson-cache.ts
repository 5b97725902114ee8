import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DuckDb } from "./engines/duckdb";
import type { QueryOptions } from "./engines/engine";
import { EventSourceError } from "./errors";
import { eventsOfJson } from "./events-of-json";
import { quotedText } from "./sql";
import { gzipProblem } from "./whole-gzip";
import { isWholeZstd } from "./whole-zstd";

/**
 * Raise it when the columns change, so that files of an earlier version are not read.
 */
const VERSION = 2;

/** Whole events stand in memory while their columns are written. */
const CONVERSION_MB = 640;

/** A file is removed if it was not read for this time. */
const KEPT_MS = 30 * 86_400_000;

/** The folder of the converted files: that of `XDG_CACHE_HOME`, else `~/.cache`. */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(base, "devid", "events");
}

/**
 * Converts NDJSON files to Parquet and returns the paths. A file is converted again
 * only after a change. Only their owner can read them, because events contain personal
 * data.
 * @throws WarehouseQueryError for a file that is no NDJSON; the reason of the signal
 */
export async function convertedFiles(
  paths: readonly string[],
  { signal, onProgress }: QueryOptions = {},
  folder = cacheFolder(),
): Promise<string[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeUnused(folder);
  const converted = paths.map((path) => ({
    path,
    target: join(folder, `${digestOf(path)}.parquet`),
  }));
  const missing = converted.filter(({ target }) => !existsSync(target));
  for (const { target } of converted) if (existsSync(target)) touch(target);
  if (missing.length > 0) {
    const duckdb = await DuckDb.open({
      title: "files of NDJSON",
      memoryMb: CONVERSION_MB,
    });
    try {
      for (const [n, { path, target }] of missing.entries()) {
        await convert(duckdb, path, target, signal);
        onProgress?.({ share: (n + 1) / missing.length });
      }
    } finally {
      await duckdb.close();
    }
  }
  return converted.map(({ target }) => target);
}

async function convert(
  duckdb: DuckDb,
  path: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const problem = await packingProblem(path, signal);
  if (problem !== undefined)
    throw new EventSourceError(
      `${path} was cut short or damaged: ${problem}. Write or copy it again.`,
    );
  const draft = `${target}.${randomUUID()}.draft`;
  try {
    await duckdb.run(copyEvents(path, draft), { signal });
    chmodSync(draft, 0o600);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** What is wrong with a packed file; undefined where it is whole. */
async function packingProblem(
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (path.endsWith(".gz")) return gzipProblem(path, signal);
  const isCut = path.endsWith(".zst") && !isWholeZstd(path);
  return isCut ? "unexpected end of file" : undefined;
}

/** The statement that writes a file of NDJSON as Parquet. */
export function copyEvents(path: string, target: string): string {
  const from = `read_ndjson_objects(${quotedText("duckdb", path)})`;
  return `COPY (${eventsOfJson(from, "json")}) TO ${quotedText("duckdb", target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192)`;
}

function digestOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  const identity = JSON.stringify([VERSION, resolve(path), size, mtimeMs]);
  return createHash("sha256").update(identity).digest("hex").slice(0, 32);
}

function removeUnused(folder: string): void {
  const before = Date.now() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = before } =
      statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < before) rmSync(path, { force: true });
  }
}

function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}
