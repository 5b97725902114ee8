import { StartError } from "./service-errors";
import type { KeysFile } from "./keys";

/** How much the service logs. */
export type LogLevel =
  | "silent"
  | "fatal"
  | "error"
  | "warn"
  | "info"
  | "debug"
  | "trace";

/** How the local service runs, like the flags of `devid serve`. */
export interface ServiceOptions {
  /** TCP port, 8787 by default; 0 picks a free one. */
  readonly port?: number;
  /**
   * Address to listen on, 127.0.0.1 by default. An address that other machines
   * can reach needs `keys`.
   */
  readonly host?: string;
  /**
   * `separate`: the management API, the events and agent of each region, and device
   * reputation also have ports of their own, with their paths of production: see
   * `Service.surfaces`. The development keys then have no dashes. Default: `together`.
   */
  readonly surfaces?: "together" | "separate";
  /** SQLite file for all data; `:memory:`, the default, keeps nothing. */
  readonly data?: string;
  /**
   * File that is written when the service takes requests, and removed when it
   * stops. It holds keys, so its mode is 0600.
   */
  readonly readyFile?: string;
  /** Requests per second for each key and surface, 5 by default. */
  readonly rateLimit?: number | "off";
  /** Whether the documented account limits apply; off by default. */
  readonly limits?: "off" | "documented";
  /**
   * For how many milliseconds a new event cannot be changed, 2000 by default.
   */
  readonly mutableAfterMs?: number;
  /**
   * How many milliseconds an event search may take before it is answered with
   * 504; 30000 by default.
   */
  readonly searchTimeoutMs?: number;
  /**
   * Keys in place of the development keys, and the key of the control calls: a
   * file, or its content.
   */
  readonly keys?: string | KeysFile;
  /** `info` by default, which is a line for each request. */
  readonly logLevel?: LogLevel;
  /** Where log lines are written, standard error by default. */
  readonly logTo?: { write(line: string): void };
}

/** Throws StartError for a number that no service can run with. */
export function checkNumbers({
  port = 0,
  rateLimit = "off",
  mutableAfterMs = 0,
  searchTimeoutMs = 0,
}: ServiceOptions): void {
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new StartError(`Port ${port} is not a whole number from 0 to 65535.`);
  if (rateLimit !== "off" && !(rateLimit > 0 && rateLimit < Infinity))
    throw new StartError(
      `Rate limit ${rateLimit} is not a number above 0, nor "off".`,
    );
  for (const [name, ms] of Object.entries({ mutableAfterMs, searchTimeoutMs }))
    if (!(ms >= 0 && ms < Infinity))
      throw new StartError(`${name} ${ms} is not a number from 0.`);
}
