interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket for each key: `perSecond` tokens (at least one), refilled at
 * that rate (docs/contract.md, "Rate limit"); a key may have a rate of its own,
 * unless rates are off. It runs on the machine's monotonic time, not on the
 * clock that control calls move.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perSecond: number | "off",
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Takes a token. False: there is none, and the request is to be refused. */
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
