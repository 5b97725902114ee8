import { readFileSync, readdirSync } from "node:fs";

// Reads the costs of processes from `/proc`: Linux only.

export const TICKS_A_SECOND = 100;
const SAMPLE_MS = 50;

/** Seconds of processor time of all ended processes below this one. */
export function secondsOfEnded(): number {
  const [user = 0, system = 0] = fieldsOf("self").slice(13);
  return (user + system) / TICKS_A_SECOND;
}

/** Seconds of processor time of a process so far, user and system together. */
export function secondsOf(pid: number): number {
  const [user = 0, system = 0] = fieldsOf(`${pid}`).slice(11);
  return (user + system) / TICKS_A_SECOND;
}

/** Measures the memory of all processes below this one together. */
export class MemoryWatch {
  readonly #timer = setInterval(() => this.#sample(), SAMPLE_MS);
  #peakBytes = 0;

  /** Stops measuring, and returns the most megabytes resident at once. */
  stop(): number {
    clearInterval(this.#timer);
    return this.#peakBytes / 1e6;
  }

  #sample(): void {
    const parents = new Map<number, number>();
    for (const pid of readdirSync("/proc").map(Number)) {
      if (Number.isNaN(pid)) continue;
      try {
        parents.set(pid, fieldsOf(`${pid}`)[1] ?? 0);
      } catch {
        // The process has ended meanwhile.
      }
    }
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid);
      if (parent === undefined) return false;
      return parent === process.pid || isBelow(parent);
    };
    let bytes = 0;
    for (const pid of parents.keys())
      if (isBelow(pid)) bytes += residentOf(pid);
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
  }
}

/** The fields of `/proc/PID/stat` after the command's name, as numbers. */
function fieldsOf(pid: string): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

/** The resident memory of a process in bytes; 0 after its end. */
export function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
