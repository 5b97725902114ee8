import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as zlib from "node:zlib";
import { DuckDb } from "./engines/duckdb";
import { allRows, type QueryOptions } from "./engines/engine";
import { EventSourceError, type WarehouseQueryError } from "./errors";
import { copyEvents } from "./events-of-json";
import { packingProblem } from "./packing-problem";
import { quotedText } from "./sql";

/** Whole events stand in memory while their columns are written. */
const CONVERSION_MB = 640;

/**
 * Reads NDJSON files once and stores their columns as Parquet in a folder, a file for
 * each and a row for each line that is not empty, in the same order.
 * @throws EventSourceError for a damaged packed file; WarehouseQueryError; the reason of
 * the signal
 */
export async function storedColumns(
  paths: readonly string[],
  folder: string,
  { signal, onProgress }: QueryOptions = {},
): Promise<string[]> {
  const title = "files of NDJSON";
  const duckdb = await DuckDb.open({ title, memoryMb: CONVERSION_MB });
  try {
    await duckdb.run("SET preserve_insertion_order = true");
    const stored: string[] = [];
    for (const [n, path] of paths.entries()) {
      const target = join(folder, `${n}.parquet`);
      await store(duckdb, path, target, signal);
      onProgress?.({ share: (n + 1) / paths.length });
      stored.push(target);
    }
    return stored;
  } finally {
    await duckdb.close();
  }
}

async function store(
  duckdb: DuckDb,
  path: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const problem = await packingProblem(path, signal);
  if (problem) throw damaged(path, problem);
  try {
    await duckdb.run(copyEvents(path, target), { signal });
  } catch (error) {
    // DuckDB compares the checksum of zstd.
    const { answer = "" } = error as Partial<WarehouseQueryError>;
    throw path.endsWith(".zst") && answer.startsWith("IO Error: ")
      ? damaged(path, answer.slice("IO Error: ".length))
      : error;
  }
  const [[unread = 0] = []] = await allRows(
    duckdb,
    `SELECT count(*) FROM read_parquet(${quotedText("duckdb", target)}) WHERE devid_problem = 'no JSON'`,
    { signal },
  );
  const lines = Number(unread) === 0 ? undefined : linesOf(path);
  if (lines === undefined) return;
  const mended = `${target}.ndjson`;
  await writeMended(lines, mended, signal);
  await duckdb.run(copyEvents(mended, target), { signal });
}

const damaged = (path: string, problem: string) =>
  new EventSourceError(
    `${path} was cut short or damaged: ${problem}. Write or copy it again.`,
  );

/**
 * Writes lines again so that DuckDB reads every one that is JSON. It does not read a
 * byte order mark, half a surrogate pair, or bytes that are no UTF-8; each of the two
 * last becomes U+FFFD.
 */
async function writeMended(
  lines: AsyncIterable<string>,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = createWriteStream(target, { mode: 0o600 });
  for await (const line of lines) {
    signal?.throwIfAborted();
    if (line.trim() === "") continue;
    if (!file.write(`${mendedLine(line)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

function mendedLine(line: string): string {
  const text = line.replace(/^\ufeff/, "");
  try {
    const value: unknown = JSON.parse(text);
    if (!/\\ud[89a-f]/i.test(text)) return text;
    // JSON.stringify escapes a surrogate only if it stands alone.
    return JSON.stringify(value).replace(
      /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g,
      (_, backslash: string | undefined) => backslash ?? "\\ufffd",
    );
  } catch {
    return "no JSON";
  }
}

/** The lines of a file; undefined for a file of zstd, where this Node.js cannot unpack it. */
function linesOf(path: string): AsyncIterable<string> | undefined {
  const file = createReadStream(path);
  const { createZstdDecompress } = zlib as {
    createZstdDecompress?: () => zlib.Gunzip;
  };
  const unpack = path.endsWith(".gz")
    ? zlib.createGunzip()
    : path.endsWith(".zst")
      ? createZstdDecompress?.()
      : file;
  if (unpack === undefined) {
    file.destroy();
    return undefined;
  }
  if (unpack !== file) file.pipe(unpack as zlib.Gunzip);
  return createInterface({ input: unpack, crlfDelay: Infinity });
}

/**
 * Where a row of a stored file was read from: `events/b.ndjson:3`.
 * @param row from 0
 */
export async function placeOfRow(path: string, row: number): Promise<string> {
  const lines = linesOf(path);
  if (lines === undefined) return `${path}, event ${row + 1}`;
  let [number, left] = [0, row];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    if (left === 0) return `${path}:${number}`;
    left -= 1;
  }
  return path;
}
