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

const KEPT = 20_000;

/**
 * The last requests, without control calls and the console, numbered from 1 in
 * the order of their arrival.
 */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private last = 0;

  /** Adds a request when it arrives; its status is set when it is answered. */
  add(request: Omit<LoggedRequest, "n" | "status">): LoggedRequest {
    const entry = { n: ++this.last, status: 0, ...request };
    this.entries.push(entry);
    if (this.entries.length > 2 * KEPT)
      this.entries = this.entries.slice(-KEPT);
    return entry;
  }

  /** The requests with a higher number than `n`, at most the last 20,000. */
  since(n: number): readonly LoggedRequest[] {
    return this.entries.filter((entry) => entry.n > n).slice(-KEPT);
  }

  /** Forgets all requests and starts again at number 1. */
  reset(): void {
    this.entries = [];
    this.last = 0;
  }
}
