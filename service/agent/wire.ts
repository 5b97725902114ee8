const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Body of `POST {endpoint}/web/v4/{apiKey}`. `get()` sends it, and `collect()` returns
 * it (docs/assumptions.md, A74).
 */
export interface IdentificationBody {
  /** This agent or its loader, and the frameworks that use the agent. */
  sdk: {
    platform: "js";
    version: string;
    integrations?: {
      name?: string;
      version?: string;
      /** The framework that the integration runs in. */
      subintegration?: { name?: string; version?: string };
    }[];
  };
  /** Address of the page. `urlHashing` decides which parts are hashed. */
  url: string;
  /** Address that led to the page, hashed like `url`. */
  client_referrer?: string;
  linked_id?: string;
  /** A simple value is sent as `{tag: value}`. */
  tag?: Record<string, unknown>;
  /** Time zone of the device, such as `Europe/Berlin`. */
  timezone?: string;
  /** `storage_id` of an earlier answer, as the browser kept it. */
  storage_id?: string;
  /** The attributes of the device, by their names in `raw_device_attributes` of an event. */
  signals: Record<string, unknown>;
}

/** Answer 200 of the identification endpoint (docs/contract.md, "get()"). */
export interface IdentificationAnswer {
  event_id: string;
  /** Absent in zero-trust mode, empty when the visitor is not recognised. */
  visitor_id?: string;
  /** Absent if no signal is activated. */
  suspect_score?: number;
  /**
   * The browser keeps this ID and sends it with the next request. It reveals nothing
   * about the visitor.
   */
  storage_id: string;
  /** Base64; absent unless results are sealed. */
  sealed_result?: string;
}

/** Any other answer of the identification endpoint (docs/contract.md, "Events errors"). */
export interface IdentificationErrorBody {
  error: { code: string; message: string };
  /** Present if the service made an event. */
  event_id?: string;
}

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
