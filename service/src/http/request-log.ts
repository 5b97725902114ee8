import { z } from "zod";
import { SURFACES } from "./surface";

/**
 * One request as `GET /_local/requests` shows it. `status` is 0 while, or
 * when, nothing was answered; `key` is the name of the key and never the token.
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

/** The last requests, control calls excepted, numbered from 1 as they arrived. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private last = 0;

  /** Notes an arrival; the answer's status is set on the entry later. */
  add(request: Omit<LoggedRequest, "n" | "status">): LoggedRequest {
    const entry = { n: ++this.last, status: 0, ...request };
    this.entries.push(entry);
    if (this.entries.length > 2 * KEPT)
      this.entries = this.entries.slice(-KEPT);
    return entry;
  }

  /** Requests behind the given number, at most the last 20,000. */
  since(n: number): readonly LoggedRequest[] {
    return this.entries.filter((entry) => entry.n > n).slice(-KEPT);
  }

  /** Forgets all of them and numbers from 1 again. */
  reset(): void {
    this.entries = [];
    this.last = 0;
  }
}
