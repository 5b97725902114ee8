import type { IdentificationBody } from "./wire";
import { FingerprintError } from "./fingerprint-error";

const LINKED_ID_MAX_LENGTH = 256;
const TAG_MAX_BYTES = 16 * 1024;

/** A value that `tag` takes beside objects. */
export type SimpleTag = string | number | boolean;

/** Options of `get()` and `collect()` (docs/contract.md, "get()"). */
export interface GetOptions {
  /** At most 256 characters. */
  readonly linkedId?: string;
  /** At most 16 KB of JSON; no array. A simple value becomes `{tag: value}`. */
  readonly tag?: SimpleTag | Readonly<Record<string, unknown>>;
  /** Wins over `tag`. */
  readonly tags?: SimpleTag | Readonly<Record<string, unknown>>;
  /** Milliseconds, 10000 by default; time in the background does not count. */
  readonly timeout?: number;
}

/** Options of a call, checked, as they are sent. */
export interface CheckedGetOptions extends Pick<
  IdentificationBody,
  "linked_id" | "tag"
> {
  readonly timeoutMs: number;
}

/**
 * Checks the options of a call. Throws FingerprintError: with the code that the
 * service would answer for `linkedId` and `tag` (docs/assumptions.md, A79),
 * `options_misconfigured` for `timeout`.
 */
export function checkGetOptions(options: GetOptions): CheckedGetOptions {
  const { linkedId, tag, tags = tag, timeout = 10_000 } = options;
  if (!(typeof timeout === "number" && timeout > 0 && timeout < 2 ** 31))
    throw new FingerprintError(
      "options_misconfigured",
      "timeout has to be a number of milliseconds above 0 and below 2^31.",
    );
  return {
    timeoutMs: timeout,
    ...(linkedId !== undefined && { linked_id: checkLinkedId(linkedId) }),
    ...(tags !== undefined && { tag: checkTag(tags) }),
  };
}

function checkLinkedId(linkedId: unknown): string {
  if (typeof linkedId === "string" && linkedId.length <= LINKED_ID_MAX_LENGTH)
    return linkedId;
  throw refused(
    `linkedId has to be a text of at most ${LINKED_ID_MAX_LENGTH} characters`,
  );
}

function checkTag(tag: unknown): Record<string, unknown> {
  const json = jsonOf(isSimple(tag) ? { tag } : tag);
  // Functions have no JSON; that of an array or a date is no object.
  if (!json?.startsWith("{"))
    throw refused(
      "tag has to be a text, a number, a boolean or an object that JSON can hold",
    );
  if (new TextEncoder().encode(json).length > TAG_MAX_BYTES)
    throw refused(`tag has to be at most ${TAG_MAX_BYTES} bytes of JSON`);
  return JSON.parse(json) as Record<string, unknown>;
}

function isSimple(tag: unknown): boolean {
  return (
    typeof tag === "string" || typeof tag === "boolean" || Number.isFinite(tag)
  );
}

/** Undefined where a value has no JSON, such as one that holds itself. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function refused(rule: string): FingerprintError {
  return new FingerprintError("request_cannot_be_parsed", `${rule}.`);
}
