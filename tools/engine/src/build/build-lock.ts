import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "@photostructure/sqlite";
import { formatElapsed, type Report } from "./progress.js";

/** How to wait for a lock. */
export interface BuildLockOptions {
  /** Receives a line from time to time while another process holds the lock. */
  report: Report;
  /** Stops the wait when it aborts. */
  signal?: AbortSignal;
  /** Milliseconds between two attempts to get the lock. */
  pollMs?: number;
}

type LockFile = InstanceType<typeof DatabaseSync>;

const REPORT_EVERY_MS = 10_000;

/**
 * Does work while holding a lock that other processes respect. The lock is the
 * exclusive lock of an SQLite file, so the operating system frees it when its holder
 * dies. The file stays.
 */
export async function withBuildLock<Result>(
  place: string,
  options: BuildLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(path.dirname(place), { recursive: true });
  const file = await acquire(place, options);
  try {
    return await work();
  } finally {
    file.close();
  }
}

async function acquire(
  place: string,
  { report, signal, pollMs = 500 }: BuildLockOptions,
): Promise<LockFile> {
  const startedAt = Date.now();
  let nextReportAt = startedAt;
  const file = new DatabaseSync(place);
  try {
    while (!isLocked(file)) {
      if (Date.now() >= nextReportAt) {
        const waited = formatElapsed(Date.now() - startedAt);
        report(
          `waiting for another process, which is installing the same: ${waited}`,
        );
        nextReportAt = Date.now() + REPORT_EVERY_MS;
      }
      await delay(pollMs, undefined, { signal });
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Tries once to get the lock, and returns whether it succeeded. */
function isLocked(file: LockFile): boolean {
  try {
    file.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (/database is locked/.test(String(error))) return false;
    throw error;
  }
}
