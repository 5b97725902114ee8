/**
 * Body of `POST {endpoint}/web/v4/{apiKey}`, which `get()` sends and
 * `collect()` gives (docs/assumptions.md, A74).
 */
export interface IdentificationBody {
  /** This agent, and the frameworks that it is used from. */
  sdk: {
    platform: "js";
    version: string;
    integrations?: { name?: string; version?: string }[];
  };
  /** Address of the page, hashed where `urlHashing` asks for it. */
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
  /** What the device tells of itself, by the names of `raw_device_attributes` in an event. */
  signals: Record<string, unknown>;
}

/** Answer 200 of the identification endpoint (docs/contract.md, "get()"). */
export interface IdentificationAnswer {
  event_id: string;
  /** Absent in zero-trust mode, empty where the visitor cannot be told. */
  visitor_id?: string;
  /** Absent where no signal is activated. */
  suspect_score?: number;
  /** For the browser to keep and send again; it says nothing about the visitor. */
  storage_id: string;
  /** Base64; absent unless results are sealed. */
  sealed_result?: string;
}

/** Any other answer of the identification endpoint (docs/contract.md, "Events errors"). */
export interface IdentificationErrorBody {
  error: { code: string; message: string };
  /** Present where the service made an event. */
  event_id?: string;
}
