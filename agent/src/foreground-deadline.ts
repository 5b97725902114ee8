/** A time limit that is under way. */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Ends it before its time. */
  release(): void;
}

/** The part of a document that tells whether somebody can see it. */
export type Visibility = Pick<
  Document,
  "visibilityState" | "addEventListener" | "removeEventListener"
>;

/**
 * A time limit that stands still while the page is in the background
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
    release: () => {
      page.removeEventListener("visibilitychange", follow);
      clearTimeout(timer);
    },
  };
}
