import type { IdentificationAnswer } from "./wire";
import { BinaryOutput } from "./binary-output";

/** What `get()` resolves with (docs/contract.md, "get()"). */
export interface AgentResult {
  readonly event_id: string;
  /** Absent in zero-trust mode, empty where the visitor cannot be told. */
  readonly visitor_id?: string;
  readonly suspect_score?: number;
  /** Null unless results are sealed. */
  readonly sealed_result: BinaryOutput | null;
  /** There when `cache` was given to `start()`. */
  readonly cache_hit?: boolean;
}

/** The result in an answer; `cacheHit` is undefined where there is no cache. */
export function resultOf(
  answer: IdentificationAnswer,
  cacheHit?: boolean,
): AgentResult {
  const { event_id, visitor_id, suspect_score, sealed_result } = answer;
  return {
    event_id,
    ...(visitor_id !== undefined && { visitor_id }),
    ...(suspect_score !== undefined && { suspect_score }),
    sealed_result:
      sealed_result === undefined ? null : new BinaryOutput(sealed_result),
    ...(cacheHit !== undefined && { cache_hit: cacheHit }),
  };
}
