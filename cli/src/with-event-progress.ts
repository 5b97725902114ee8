import type { ReplayProgress } from "@devid/rules/replay";
import { EventProgress } from "./event-progress";
import { UsageError } from "./usage-error";

/**
 * Shows how far a replay has come, and calls it off on SIGINT and SIGTERM, which
 * the bar would otherwise keep from ending the process.
 */
export async function withEventProgress<T>(
  work: (
    onProgress: (progress: ReplayProgress) => void,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> {
  const stopped = new AbortController();
  const stop = () => stopped.abort(new UsageError("Stopped."));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const progress = new EventProgress();
  try {
    return await work(
      ({ share, events }) => progress.show(share, events),
      stopped.signal,
    );
  } finally {
    progress.stop();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}
