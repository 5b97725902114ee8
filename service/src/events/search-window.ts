import { AnswerError } from "../http/answer-error";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets a search start at any time. */
export const ANY_AGE = { lookbackDays: Infinity };

/** The window of a search that names none, in days. */
const DEFAULT_DAYS = 7;

/**
 * The range of times of a search (docs/contract.md, "GET /events"): each end
 * has its default, whatever the other is. Throws AnswerError when it starts
 * before the lookback of the workspace (docs/assumptions.md, A54).
 */
export function searchWindow(
  {
    start,
    end,
  }: { readonly start?: number | undefined; readonly end?: number | undefined },
  nowMs: number,
  lookbackDays: number,
): { readonly startMs: number; readonly endMs: number } {
  if (start !== undefined && start < nowMs - lookbackDays * DAY_MS)
    throw new AnswerError(
      "request_cannot_be_parsed",
      `invalid start time: start is more than ${lookbackDays} days ago, which is how far this workspace looks back`,
    );
  return {
    startMs: start ?? nowMs - DEFAULT_DAYS * DAY_MS,
    endMs: end ?? nowMs,
  };
}
