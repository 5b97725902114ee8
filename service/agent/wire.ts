import type {
  IdentificationAnswer,
  IdentificationBody,
  IdentificationErrorBody,
} from "../src/agent/identification-wire";

export type { IdentificationAnswer, IdentificationBody };

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads an answer of the identification endpoint; undefined for anything else.
 * Members that a later service adds are ignored.
 */
export function parseAnswer(value: unknown): IdentificationAnswer | undefined {
  const { event_id, visitor_id, suspect_score, storage_id, sealed_result } =
    membersOf(value);
  const isAnswer =
    typeof event_id === "string" &&
    typeof storage_id === "string" &&
    (visitor_id === undefined || typeof visitor_id === "string") &&
    (suspect_score === undefined || typeof suspect_score === "number") &&
    (sealed_result === undefined ||
      (typeof sealed_result === "string" && BASE64.test(sealed_result)));
  return isAnswer
    ? { event_id, visitor_id, suspect_score, storage_id, sealed_result }
    : undefined;
}

/** Reads an error of the identification endpoint. Undefined for other answers. */
export function parseErrorBody(
  value: unknown,
): IdentificationErrorBody | undefined {
  const { error, event_id } = membersOf(value);
  const { code, message } = membersOf(error);
  return typeof code === "string" && typeof message === "string"
    ? {
        error: { code, message },
        ...(typeof event_id === "string" && { event_id }),
      }
    : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : {};
}
