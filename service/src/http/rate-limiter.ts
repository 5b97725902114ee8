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

  constructor(
    private readonly perSecond: number | "off",
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /**
   * Takes a token for a request. False means that there is none, and that the
   * request is to be refused.
   */
  take(key: string, ownPerSecond?: number): boolean {
    if (this.perSecond === "off") return true;
    const perSecond = ownPerSecond ?? this.perSecond;
    const now = this.monotonicMs();
    const size = Math.max(1, perSecond);
    const bucket = this.buckets.get(key) ?? { tokens: size, filledAtMs: now };
    const refill = ((now - bucket.filledAtMs) / 1000) * perSecond;
    bucket.tokens = Math.min(size, bucket.tokens + refill);
    bucket.filledAtMs = now;
    this.buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Fills every bucket. */
  reset(): void {
    this.buckets.clear();
  }
}
