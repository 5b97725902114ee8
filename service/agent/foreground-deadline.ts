/** A time limit that is running. */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  leftMs(): number;
  /** Stops the clock. The signal is not aborted after that. */
  release(): void;
}

/** The part of a document that says whether somebody can see the page. */
export type Visibility = Pick<
  Document,
  "visibilityState" | "addEventListener" | "removeEventListener"
>;

/**
 * A time limit whose clock stops while the page is in the background
 * (docs/contract.md, "get()").
 */
export function foregroundDeadline(
  timeoutMs: number,
  page: Visibility = document,
): Deadline {
  const controller = new AbortController();
  let leftMs = timeoutMs;
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - startedAt;
  };
  const passedMs = () =>
    timer === undefined ? 0 : performance.now() - startedAt;
  const follow = () => {
    stop();
    if (page.visibilityState === "hidden") return;
    startedAt = performance.now();
    timer = setTimeout(() => controller.abort(), leftMs);
  };
  follow();
  page.addEventListener("visibilitychange", follow);
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, leftMs - passedMs()),
    release: () => {
      page.removeEventListener("visibilitychange", follow);
      clearTimeout(timer);
    },
  };
}
