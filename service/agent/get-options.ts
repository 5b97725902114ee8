import { FingerprintError } from "./fingerprint-error";
import { checkOptionNames } from "./option-names";
import type { IdentificationBody } from "./wire";

const LINKED_ID_MAX_LENGTH = 256;
const TAG_MAX_BYTES = 16 * 1024;

/** A value that `tag` takes as well as an object. */
export type SimpleTag = string | number | boolean;

/** Options of `get()` and `collect()` (docs/contract.md, "get()"). */
export interface GetOptions {
  /** At most 256 characters. */
  readonly linkedId?: string;
  /**
   * At most 16 KB of JSON; no array. A simple value becomes `{tag: value}`;
   * null counts as left out.
   */
  readonly tag?: SimpleTag | Readonly<Record<string, unknown>> | null;
  /** Replaces `tag` if both are given. */
  readonly tags?: SimpleTag | Readonly<Record<string, unknown>> | null;
  /**
   * Milliseconds; default 10000. Time in the background does not count. Slow devices
   * may fail with less than 2000.
   */
  readonly timeout?: number;
}

/** The options of a call, checked and in the form in which they are sent. */
export interface CheckedGetOptions extends Pick<
  IdentificationBody,
  "linked_id" | "tag"
> {
  readonly timeoutMs: number;
}

/**
 * Checks the options of `get()` and `collect()`. Throws FingerprintError:
 * `request_cannot_be_parsed` for `linkedId` and `tag`, the code that the service would
 * answer (docs/assumptions.md, A79), and `options_misconfigured` for `timeout` and for
 * an unknown option.
 */
export function checkGetOptions(
  call: "get()" | "collect()",
  options: GetOptions,
): CheckedGetOptions {
  checkOptionNames(call, options, ["linkedId", "tag", "tags", "timeout"]);
  const { linkedId, tag, timeout = 10_000 } = options;
  const tags = options.tags ?? tag ?? undefined;
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
  if (typeof linkedId !== "string")
    throw refused("linkedId has to be a string.");
  // The published message (docs/contract.md, "Events errors").
  if (linkedId.length > LINKED_ID_MAX_LENGTH)
    throw refused(
      `linked_id can't be greater than ${LINKED_ID_MAX_LENGTH} characters long`,
    );
  return linkedId;
}

function checkTag(tag: unknown): Record<string, unknown> {
  const json = jsonOf(isSimple(tag) ? { tag } : tag);
  // A function has no JSON, and the JSON of an array or a date is no object.
  if (!json?.startsWith("{"))
    throw refused(
      "tag has to be a string, a number, a boolean or an object that JSON can hold.",
    );
  // In JSON without spaces, only a member's name has a colon directly behind its quote.
  // The service refuses this member, too.
  if (json.includes('"__proto__":'))
    throw refused("tag has to be without a member named __proto__.");
  if (new TextEncoder().encode(json).length > TAG_MAX_BYTES)
    throw refused(`tag has to be at most ${TAG_MAX_BYTES} bytes of JSON.`);
  return JSON.parse(json) as Record<string, unknown>;
}

function isSimple(tag: unknown): boolean {
  return (
    typeof tag === "string" || typeof tag === "boolean" || Number.isFinite(tag)
  );
}

/** Undefined for a value without JSON, such as an object that contains itself. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function refused(message: string): FingerprintError {
  return new FingerprintError("request_cannot_be_parsed", message);
}
