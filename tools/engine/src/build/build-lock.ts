import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock } from "proper-lockfile";
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

/** A holder that has not renewed its lock for this long is considered dead. */
const STALE_AFTER_MS = 20_000;

/** How often a holder renews its lock. */
const HEARTBEAT_MS = 5_000;

const REPORT_EVERY_MS = 10_000;

/**
 * Does work while holding a lock that other processes respect. If a holder is
 * killed, another process takes over its lock after 20 s.
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
    // If another process has taken over the lock, it cannot be released.
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
      return await attempt(place);
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

/**
 * Tries once to get the lock; fails with `ELOCKED` where another holds it. A
 * second lock lets one process at a time try: of two that find the lock of a
 * dead holder, the slower one would delete the lock that the faster one has
 * just made.
 */
async function attempt(place: string): Promise<() => Promise<void>> {
  const release = await makeFolder(`${place}.attempt`);
  try {
    return await makeFolder(place);
  } finally {
    await release();
  }
}

/** Makes the folder that is the lock, and keeps its time up to date. */
function makeFolder(place: string): Promise<() => Promise<void>> {
  return lock(place, {
    // The lock is a folder with this name; no other file has to exist.
    lockfilePath: place,
    realpath: false,
    stale: STALE_AFTER_MS,
    update: HEARTBEAT_MS,
    // After the machine slept, the lock may be lost. The work continues all
    // the same: an installation is renamed into its place, so two processes
    // may do it.
    onCompromised: () => undefined,
  });
}
