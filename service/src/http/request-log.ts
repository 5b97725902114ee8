import { z } from "zod";
import { SURFACES } from "./surface";

/**
 * A request as `GET /_local/requests` shows it. `status` is 0 as long as
 * nothing was answered; `key` is the name of the key, never the key itself.
 */
export const LoggedRequest = z.object({
  n: z.int(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  surface: z.enum(SURFACES),
  key: z.string().nullable(),
  at: z.string(),
});

/** One request of the log. */
export type LoggedRequest = z.output<typeof LoggedRequest>;

/** How much of the log is kept: the greatest number of requests, and their greatest size together. */
export const REQUESTS_KEPT = {
  rows: 20_000,
  bytes: 16_000_000,
} as const;

/** Bytes of an entry in addition to its texts. */
const ENTRY_BYTES = 200;

/**
 * The last requests, without control calls and the console, numbered from 1 in
 * the order of their arrival.
 */
export class RequestLog {
  /** By their numbers, in order and without gaps. */
  private readonly log = new Map<number, LoggedRequest>();
  private bytes = 0;
  private last = 0;
  private changed = 0;

  /** Adds a request when it arrives; `answer` sets its status. */
  add(request: Omit<LoggedRequest, "n" | "status">): LoggedRequest {
    const path = copyOf(request.path);
    const entry = { n: ++this.last, status: 0, ...request, path };
    this.log.set(entry.n, entry);
    this.bytes += sizeOf(entry);
    this.changed++;
    this.dropOld();
    return entry;
  }

  /** Notes the status that a request is answered with. */
  answer(entry: LoggedRequest, status: number): void {
    entry.status = status;
    this.changed++;
  }

  /** The requests with a higher number than `n`, in order. */
  since(n: number): readonly LoggedRequest[] {
    const dropped = this.last - this.log.size;
    return [...this.log.values()].slice(Math.max(0, n - dropped));
  }

  /** A number that grows with every change of the log. */
  changes(): number {
    return this.changed;
  }

  /** Forgets all requests and starts again at number 1. */
  reset(): void {
    this.log.clear();
    this.bytes = 0;
    this.last = 0;
    this.changed++;
  }

  private dropOld(): void {
    const { rows, bytes } = REQUESTS_KEPT;
    for (const [n, entry] of this.log) {
      if (this.log.size <= rows && this.bytes <= bytes) return;
      this.log.delete(n);
      this.bytes -= sizeOf(entry);
    }
  }
}

function sizeOf({ path, key }: LoggedRequest): number {
  return ENTRY_BYTES + path.length + (key?.length ?? 0);
}

/**
 * The same text in memory of its own. V8 keeps a whole URL in memory for a part of it, and
 * the query of the URL may contain a key.
 */
function copyOf(path: string): string {
  return Buffer.from(path, "latin1").toString("latin1");
}
