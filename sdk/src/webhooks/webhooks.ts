import { type Bytes, bytesOf } from "../bytes";
import { kindOf } from "../kind-of";
import { DevidError, type ErrorCause } from "../http/errors";
import type { Event } from "../server-api/event";
import { EventRecord } from "../wire/event";

/** Header of a webhook delivery that carries its signature (docs/contract.md, "Webhook delivery"). */
export const WEBHOOK_SIGNATURE_HEADER = "fpjs-event-signature";

/**
 * The signature of a delivery is wrong, its body is no event, or the check was given a
 * key or a body that cannot be used. The message contains no part of the delivery or of a
 * key.
 */
export class WebhookError extends DevidError {
  override readonly name = "WebhookError";

  constructor(
    /**
     * `unsigned`: no key signed the delivery, so answer 403. `unreadable`: the delivery
     * was signed, but contains no event. `misused`: a key is not a text, or is
     * empty, or the body was parsed already. The message names the argument: log it,
     * because every delivery is refused until this is mended.
     */
    readonly problem: "unsigned" | "unreadable" | "misused",
    message: string,
    options?: ErrorCause,
  ) {
    super(message, options);
  }
}

const HMAC_SHA256 = { name: "HMAC", hash: "SHA-256" };

/** The body of a delivery as it was received, before any parsing: its bytes, or their UTF-8 text. */
export type RawBody = string | Bytes;

/** The value of a header as `Headers.get` and Node's `request.headers` have it. */
export type HeaderValue = string | readonly string[] | null | undefined;

function misused(argument: string, reason: string): WebhookError {
  return new WebhookError(
    "misused",
    `A webhook delivery cannot be checked: ${argument} ${reason}.`,
  );
}

/** The signed bytes: the bytes of a body, or the UTF-8 bytes of its text. */
function signedBytes(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(
    typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody,
  );
  if (bytes) return bytes;
  throw misused(
    "rawBody",
    `is ${kindOf(rawBody)}. Pass the body as it was received, before it is parsed: its bytes or its text`,
  );
}

/**
 * A key that signs. A key that is missing or blank is an error, and is not skipped: `null`
 * or an empty text would sign, too, and anybody could sign with it.
 */
function usableKey(key: unknown, argument: string): string {
  if (typeof key === "string" && key.trim() !== "") return key;
  throw misused(
    argument,
    `is ${typeof key === "string" ? "empty" : kindOf(key)}, but must be the signing key of a webhook. Check the setting that it comes from`,
  );
}

/** One key, or the keys of a list, which has no holes. */
function usableKeys(signingKeys: string | readonly string[]): string[] {
  if (!Array.isArray(signingKeys))
    return [usableKey(signingKeys, "signingKeys")];
  if (signingKeys.length === 0)
    throw misused("signingKeys", "is an empty list. Pass at least one key");
  return Array.from(signingKeys, (key: unknown, index) =>
    usableKey(key, `signingKeys[${index}]`),
  );
}

/**
 * The signature header's value for a delivery: `v1=` and the lower-case hex
 * HMAC-SHA256 of the raw body under the webhook's signing key
 * (docs/contract.md, "Webhook delivery"). For tests of a receiver.
 *
 * @example
 * const header = await signWebhook(body, signingKey);
 */
export async function signWebhook(
  rawBody: RawBody,
  signingKey: string,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(usableKey(signingKey, "signingKey")),
    HMAC_SHA256,
    false,
    ["sign"],
  );
  const hash = await crypto.subtle.sign("HMAC", key, signedBytes(rawBody));
  const hex = Array.from(new Uint8Array(hash), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return `v1=${hex.join("")}`;
}

/**
 * Whether a delivery was signed with one of these keys (docs/contract.md, "Webhook
 * delivery"). Pass two keys while a key is replaced. `rawBody` is the received body
 * before any parsing, as bytes or as their UTF-8 text. `header` is the value of the
 * signature header, null or undefined if it is missing. Each value is a list of
 * `version=hash` pairs with commas between. One correct `v1` pair is enough; other
 * versions are ignored. The comparison takes the same time for right and wrong hashes.
 * A key that is not a text, or is empty, is an error. The signature contains no time. To
 * detect replays, keep the `event_id`s that you have seen (docs/assumptions.md, A83).
 *
 * The result is a promise, because Web Crypto is asynchronous. If you forget `await`,
 * every delivery passes. `parseWebhook` does not have this risk.
 *
 * @example
 * const header = request.headers.get(WEBHOOK_SIGNATURE_HEADER);
 * if (!(await verifyWebhook(await request.text(), header, signingKey)))
 *   return new Response(null, { status: 403 });
 * @throws WebhookError if a key or the body cannot be used
 */
export async function verifyWebhook(
  rawBody: RawBody,
  header: HeaderValue,
  signingKeys: string | readonly string[],
): Promise<boolean> {
  const keys = usableKeys(signingKeys);
  const body = signedBytes(rawBody);
  const pairs = textOf(header)
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith("v1="));
  if (pairs.length === 0) return false;
  // Once for each key: anybody can send a header of thousands of pairs.
  for (const key of keys) {
    const signature = await signWebhook(body, key);
    if (pairs.some((pair) => isSame(pair, signature))) return true;
  }
  return false;
}

/**
 * Checks the signature of a delivery as `verifyWebhook` does, and returns the event.
 *
 * @example
 * const header = request.headers.get(WEBHOOK_SIGNATURE_HEADER);
 * const event = await parseWebhook(await request.text(), header, [newKey, oldKey]);
 * console.log(event.event_id, event.identification?.visitor_id);
 * @throws WebhookError
 */
export async function parseWebhook(
  rawBody: RawBody,
  header: HeaderValue,
  signingKeys: string | readonly string[],
): Promise<Event> {
  if (!(await verifyWebhook(rawBody, header, signingKeys)))
    throw new WebhookError(
      "unsigned",
      textOf(header)
        ? "A webhook delivery was refused: it is not signed with any of the given keys. Pass the signing key of the webhook, and the body as it was received, before it is parsed."
        : `A webhook delivery was refused: it has no ${WEBHOOK_SIGNATURE_HEADER} header.`,
    );
  const event = EventRecord.safeParse(jsonIn(rawBody));
  if (event.success) return event.data;
  throw new WebhookError(
    "unreadable",
    "A webhook delivery cannot be read: it is signed, but its body is not an event.",
  );
}

/** The values of a header that came more than once are one list. */
const textOf = (header: HeaderValue) => [header ?? []].flat().join();

/** Whether two texts are equal. The time does not tell where they differ. */
function isSame(given: string, right: string): boolean {
  let difference = given.length ^ right.length;
  for (let at = 0; at < right.length; at++)
    difference |= given.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

/**
 * Parses a body; undefined if it is not JSON. An error of the parser would quote the
 * event.
 */
function jsonIn(rawBody: RawBody): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(signedBytes(rawBody)));
  } catch {
    return undefined;
  }
}
