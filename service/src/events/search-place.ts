import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { AnswerError } from "../http/answer-error";
import type { EventPlace } from "../store/event-walk";
import type { Signer } from "../store/signer";

/** Where a search goes on, and what its first page has fixed. */
export interface SearchPlace {
  readonly after: EventPlace;
  /** Events that arrived later are not part of the search. */
  readonly lastSeq: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The pagination key of a place: its numbers and a signature that binds them
 * to one search (docs/assumptions.md, A57). `search` names its workspace, its
 * scope and its filters.
 */
export function paginationKey(
  signer: Signer,
  search: string,
  { after, lastSeq, startMs, endMs }: SearchPlace,
): string {
  const numbers = [after.timestamp, after.seq, lastSeq, startMs, endMs]
    .map((number) => number.toString(36))
    .join(".");
  const signature = signer.sign(`${search} ${numbers}`).slice(0, 22);
  return `${numbers}.${signature}`;
}

/** The place of a pagination key. Throws AnswerError when it is not one of this search. */
export function searchPlace(
  signer: Signer,
  search: string,
  key: string,
): SearchPlace {
  const [timestamp, seq, lastSeq, startMs, endMs] = key
    .split(".", 5)
    .map((digits) => parseInt(digits, 36));
  if (
    timestamp !== undefined &&
    seq !== undefined &&
    lastSeq !== undefined &&
    startMs !== undefined &&
    endMs !== undefined
  ) {
    const place = { after: { timestamp, seq }, lastSeq, startMs, endMs };
    if (paginationKey(signer, search, place) === key) return place;
  }
  throw new AnswerError("request_cannot_be_parsed", INVALID_PAGINATION_KEY);
}
