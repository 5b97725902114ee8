/** Receives one line for people. */
export type Report = (line: string) => void;

/** Writes lines to stderr, where they cannot mix with results. */
export const reportToStderr: Report = (line) => {
  process.stderr.write(`engine: ${line}\n`);
};

/** How to report the progress of long work. */
export interface ProgressOptions {
  /** What is being done: `building the Pulumi CLI`. */
  doing: string;
  /** How long it takes: `4 to 5 minutes`. */
  usually: string;
  /** Details that change; they are read for each line. */
  details?: () => string;
  report: Report;
}

const EVERY_MS = 10_000;

/**
 * Does long work, and reports a line at its start, every ten seconds, and at
 * its end.
 */
export async function withProgress<Result>(
  options: ProgressOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { doing, usually, details, report } = options;
  const startedAt = Date.now();
  const elapsed = (): string => formatElapsed(Date.now() - startedAt);
  report(`${doing}, which usually takes ${usually}`);
  const timer = setInterval(() => {
    const more = details?.() ?? "";
    report(
      `still ${doing}: ${elapsed()} so far, usually ${usually}${more && `; ${more}`}`,
    );
  }, EVERY_MS);
  try {
    const result = await work();
    report(`finished ${doing} after ${elapsed()}`);
    return result;
  } catch (error) {
    report(`gave up ${doing} after ${elapsed()}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Formats a duration in milliseconds as minutes and seconds: `4:05`. */
export function formatElapsed(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000);
  const rest = String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}
