import type { Clock } from "./clock";
import type { Faults } from "./http/faults";
import type { RateLimiter } from "./http/rate-limiter";
import type { RequestLog } from "./http/request-log";
import type { ServiceKeys } from "./keys";
import type { Store } from "./store/store";
import type { Courier } from "./webhooks/courier";

/** What the parts of a running service share. */
export interface Context {
  /** The host that the service listens on, in the words of `--host`. */
  readonly host: string;
  readonly keys: ServiceKeys;
  readonly clock: Clock;
  readonly store: Store;
  readonly rateLimiter: RateLimiter;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
  readonly courier: Courier;
  /**
   * Whether the documented account limits apply (docs/contract.md, "Account
   * limits").
   */
  readonly limits: "off" | "documented";
  /** For how long a new event cannot be changed. */
  readonly mutableAfterMs: number;
  /** How long a search may take before it is answered with an error. */
  readonly searchTimeoutMs: number;
}
