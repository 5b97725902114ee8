import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock } from "proper-lockfile";
import { formatElapsed, type Report } from "./progress.js";

/** How a lock is waited for. */
export interface BuildLockOptions {
  /** Receives a line now and then while somebody else holds the lock. */
  report: Report;
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** Milliseconds between two looks at somebody else's lock. */
  pollMs?: number;
}

/** A holder that has given no sign of life for so long counts as dead. */
const STALE_AFTER_MS = 20_000;

/** How often a holder gives one. */
const HEARTBEAT_MS = 5_000;

const REPORT_EVERY_MS = 10_000;

/**
 * Does work while holding a lock that other processes respect. The lock of a
 * process that was killed is taken over after 20 s.
 */
export async function withBuildLock<Result>(
  place: string,
  options: BuildLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(path.dirname(place), { recursive: true });
  const release = await acquire(place, options);
  try {
    return await work();
  } finally {
    // It cannot be released when another process has taken it over.
    await release().catch(() => undefined);
  }
}

async function acquire(
  place: string,
  { report, signal, pollMs = 500 }: BuildLockOptions,
): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  let nextReportAt = startedAt;
  for (;;) {
    try {
      return await lock(place, {
        // The lock is a folder of this name; nothing else has to be there.
        lockfilePath: place,
        realpath: false,
        stale: STALE_AFTER_MS,
        update: HEARTBEAT_MS,
        // Work that has lost its lock, on a machine that slept, goes on: what it
        // installs is renamed into its place, so two may do it.
        onCompromised: () => undefined,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
    }
    if (Date.now() >= nextReportAt) {
      const waited = formatElapsed(Date.now() - startedAt);
      report(
        `waiting for another process, which is getting the same engine: ${waited}`,
      );
      nextReportAt = Date.now() + REPORT_EVERY_MS;
    }
    await delay(pollMs, undefined, { signal });
  }
}
