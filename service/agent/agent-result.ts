import type { IdentificationAnswer } from "./wire";

/** Result of `get()` (docs/contract.md, "get()"). */
export interface AgentResult {
  readonly event_id: string;
  /** Absent in zero-trust mode; empty when the service does not recognise the visitor. */
  readonly visitor_id?: string;
  /** Present where the workspace has additional signals. */
  readonly suspect_score?: number;
  /** Null unless results are sealed. */
  readonly sealed_result: BinaryOutput | null;
  /** Present when `start()` was given a `cache`; true when the cache answered. */
  readonly cache_hit?: boolean;
}

/**
 * Bytes from the service, such as a sealed result (docs/contract.md, "get()").
 * As JSON and as text they are base64 (docs/assumptions.md, A78).
 */
export class BinaryOutput {
  readonly #base64: string;

  /** Takes base64 with padding. */
  constructor(base64: string) {
    this.#base64 = base64;
  }

  base64(): string {
    return this.#base64;
  }

  /** A copy of the bytes. */
  byteArray(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(this.#base64), (character) =>
      character.charCodeAt(0),
    );
  }

  blob(): Blob {
    return new Blob([this.byteArray()]);
  }

  toJSON(): string {
    return this.#base64;
  }

  toString(): string {
    return this.#base64;
  }

  [Symbol.toPrimitive](): string {
    return this.#base64;
  }
}

/** The result that an answer gives; without a cache, `cacheHit` is undefined. */
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
