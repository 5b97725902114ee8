import { randomUUID } from "node:crypto";
import {
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatElapsed, type Report } from "./progress.js";

/** How a lock is held and waited for. */
export interface BuildLockOptions {
  /** Receives who is being waited for. */
  report: Report;
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** Milliseconds between two looks at somebody else's lock. */
  pollMs?: number;
  /** Milliseconds without a sign of life after which a holder counts as dead. */
  staleAfterMs?: number;
}

interface Holder {
  token: string;
  pid: number;
  host: string;
}

const HEARTBEAT_MS = 5_000;
const REPORT_EVERY_MS = 10_000;

/**
 * Does work while holding a lock file that other processes respect.
 *
 * The holder touches the file every 5 s. A lock is taken over when its
 * process on this machine has died, or when it was not touched for
 * `staleAfterMs` (60 s by default).
 */
export async function withBuildLock<Result>(
  file: string,
  options: BuildLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const own: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
  };
  await mkdir(path.dirname(file), { recursive: true });
  await acquire(file, own, options);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    const holder = await readHolder(file);
    if (holder?.token === own.token) await rm(file, { force: true });
  }
}

async function acquire(
  file: string,
  own: Holder,
  options: BuildLockOptions,
): Promise<void> {
  const { report, signal, pollMs = 500, staleAfterMs = 60_000 } = options;
  const startedAt = Date.now();
  let nextReportAt = startedAt;
  for (;;) {
    if (await create(file, own)) return;
    const holder = await readHolder(file);
    if (await isStale(file, holder, staleAfterMs)) {
      await removeStale(file, holder);
      continue;
    }
    if (Date.now() >= nextReportAt) {
      const waited = formatElapsed(Date.now() - startedAt);
      const who = holder ? `process ${holder.pid}` : "another process";
      report(`waiting for ${who}, which is getting the same engine: ${waited}`);
      nextReportAt = Date.now() + REPORT_EVERY_MS;
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function create(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(own), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

async function isStale(
  file: string,
  holder: Holder | undefined,
  staleAfterMs: number,
): Promise<boolean> {
  if (holder?.host === hostname() && !isAlive(holder.pid)) return true;
  const touched = await stat(file).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > staleAfterMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Moves the lock away first: of two processes that see the same stale lock, one succeeds. */
async function removeStale(
  file: string,
  holder: Holder | undefined,
): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await readHolder(aside);
  if (moved?.token === holder?.token) await rm(aside, { force: true });
  // Somebody took the lock over between our look and our move: give it back.
  else await rename(aside, file);
}
