import { fileProblem } from "@devid/sdk/errors";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline as piped } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { DuckDb, pathSql } from "./engines/duckdb";
import { allRows, type QueryOptions } from "./engines/engine";
import { EventSourceError, type WarehouseQueryError } from "./errors";
import { copyEvents } from "./events-of-json";
import { linesOf } from "./lines-of";
import { packingProblem } from "./packing-problem";

/** Whole events stand in memory while their columns are written. */
const CONVERSION_MB = 640;

/**
 * Reads NDJSON files once and stores their columns as Parquet in a folder, a file for
 * each and a row for each line that is not empty, in the same order.
 * @throws EventSourceError for a damaged packed file, or a folder that cannot be written;
 * WarehouseQueryError; the reason of the signal
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
    const unread = await allRows(
      duckdb,
      `SELECT DISTINCT file_index FROM read_parquet([${stored.map(pathSql).join(", ")}]) WHERE devid_problem = 'no JSON'`,
      { signal },
    );
    for (const [n] of unread)
      await mend(
        duckdb,
        paths[Number(n)] ?? "",
        stored[Number(n)] ?? "",
        signal,
      );
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
}

/** Stores a file again of which DuckDB could not read every line. */
async function mend(
  duckdb: DuckDb,
  path: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const lines = linesIn(path);
  if (lines === undefined) return;
  const mended = `${target}.ndjson`;
  try {
    const file = createWriteStream(mended, { mode: 0o600 });
    await pipeline(mendedLines(lines), file, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new EventSourceError(
      `${path} cannot be copied to a temporary folder: ${fileProblem(error, "written")}. Name another place with TMPDIR.`,
    );
  }
  await duckdb.run(copyEvents(mended, target), { signal });
}

const damaged = (path: string, problem: string) =>
  new EventSourceError(
    `${path} was cut short or damaged: ${problem}. Write or copy it again.`,
  );

/**
 * The lines that are not empty, so that DuckDB reads every one that is JSON. DuckDB reads no
 * byte order mark, which is left out, no half of a surrogate pair, and no bytes that are not
 * UTF-8; both become U+FFFD.
 */
async function* mendedLines(
  parts: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  for await (const lines of parts)
    yield lines
      .filter((line) => line.trim() !== "")
      .map((line) => `${mendedLine(line)}\n`)
      .join("");
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

/** The lines of a file, as they are read; undefined for a file of zstd, where this Node.js cannot unpack it. */
function linesIn(path: string): AsyncIterable<readonly string[]> | undefined {
  const { createZstdDecompress } = zlib as {
    createZstdDecompress?: () => zlib.Gunzip;
  };
  // `readline` would leave the file open, and would also end lines at a carriage return.
  const read = (unpack?: zlib.Gunzip) => {
    const file = createReadStream(path);
    return linesOf(unpack ? piped(file, unpack, () => undefined) : file);
  };
  if (path.endsWith(".gz")) return read(zlib.createGunzip());
  if (!path.endsWith(".zst")) return read();
  return createZstdDecompress && read(createZstdDecompress());
}

/**
 * Where a row of a stored file was read from: `events/b.ndjson:3`.
 * @param row from 0
 */
export async function placeOfRow(path: string, row: number): Promise<string> {
  const lines = linesIn(path);
  if (lines === undefined) return `${path}, event ${row + 1}`;
  let [number, left] = [0, row];
  for await (const part of lines)
    for (const line of part) {
      number += 1;
      if (line.trim() === "") continue;
      if (left === 0) return `${path}:${number}`;
      left -= 1;
    }
  return path;
}
