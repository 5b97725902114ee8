import { StartError } from "./service-errors";
import type { KeysFile } from "./keys";

/** How much is logged. */
export type LogLevel =
  "silent" | "fatal" | "error" | "warn" | "info" | "debug" | "trace";

/** How the local service runs; the same as the flags of `devid serve`. */
export interface ServiceOptions {
  /** TCP port, 8787 by default; 0 picks a free one. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 by default. One that others can reach needs `keys`. */
  readonly host?: string;
  /** SQLite file that keeps everything, or `:memory:`, the default. */
  readonly data?: string;
  /** File that appears, complete, when the service answers, and goes when it stops. It holds keys: mode 0600. */
  readonly readyFile?: string;
  /** Requests a second for each key and surface, 5 by default. */
  readonly rateLimit?: number | "off";
  /** Whether the documented account limits hold; off by default. */
  readonly limits?: "off" | "documented";
  /** How long a new event cannot be changed, 2000 by default. */
  readonly mutableAfterMs?: number;
  /** How long an event search may take before it is answered with 504, 30000 by default. */
  readonly searchTimeoutMs?: number;
  /** Keys in place of the development keys, and the key of the control calls: a file, or what it holds. */
  readonly keys?: string | KeysFile;
  /** `info` by default: a line for each request. */
  readonly logLevel?: LogLevel;
  /** Where log lines go: standard error, unless given. */
  readonly logTo?: { write(line: string): void };
}

/** Throws StartError for a number that no service can run with. */
export function checkNumbers({
  port,
  rateLimit,
  mutableAfterMs,
}: ServiceOptions): void {
  if (
    port !== undefined &&
    !(Number.isInteger(port) && port >= 0 && port <= 65_535)
  )
    throw new StartError(`Port ${port} is not a whole number from 0 to 65535.`);
  if (typeof rateLimit === "number" && !(rateLimit > 0 && rateLimit < Infinity))
    throw new StartError(
      `Rate limit ${rateLimit} is not a number above 0, nor "off".`,
    );
  if (
    mutableAfterMs !== undefined &&
    !(mutableAfterMs >= 0 && mutableAfterMs < Infinity)
  )
    throw new StartError(
      `mutableAfterMs ${mutableAfterMs} is not a number from 0.`,
    );
}
