import type { ApiKeyRow } from "../store/schema";
import { AnswerError } from "./answer-error";

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket for each key. It holds `perSecond` tokens, at least one, and
 * is refilled at that rate (docs/contract.md, "Rate limit"). A key may have a
 * rate of its own. It runs on the machine's monotonic time, so control calls
 * that move the clock leave it alone.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly perSecond: number | "off") {}

  /**
   * Takes a token for a request. An API key may have a rate of its own, others have an ID
   * alone. Throws AnswerError with `message` if there is no token.
   */
  take(
    surface: string,
    key: Pick<ApiKeyRow, "id"> & Partial<ApiKeyRow>,
    message = "too many requests",
  ): void {
    if (this.perSecond === "off") return;
    const perSecond = (key.has_own_rate && key.rate_limit) || this.perSecond;
    const name = `${surface} ${key.id}`;
    const now = performance.now();
    const size = Math.max(1, perSecond);
    const bucket = this.buckets.get(name) ?? { tokens: size, filledAtMs: now };
    const refill = ((now - bucket.filledAtMs) / 1000) * perSecond;
    bucket.tokens = Math.min(size, bucket.tokens + refill);
    bucket.filledAtMs = now;
    this.buckets.set(name, bucket);
    if (bucket.tokens < 1) throw new AnswerError("too_many_requests", message);
    bucket.tokens -= 1;
  }

  /** Fills every bucket. */
  reset(): void {
    this.buckets.clear();
  }
}
