import { createHmac, timingSafeEqual } from "node:crypto";

/** Header of a webhook delivery that carries its signature (docs/contract.md, "Webhook delivery"). */
export const WEBHOOK_SIGNATURE_HEADER = "fpjs-event-signature";

/**
 * The signature header's value for a delivery: `v1=` and the lower-case hex
 * HMAC-SHA256 of the raw body under the webhook's signing key
 * (docs/contract.md, "Webhook delivery").
 */
export function signWebhook(
  body: string | Uint8Array,
  signingKey: string,
): string {
  return `v1=${createHmac("sha256", signingKey).update(body).digest("hex")}`;
}

/**
 * Whether a delivery was signed with this key. The header holds `version=hash`
 * pairs separated by commas; one right `v1` is enough, other versions are
 * passed over. `body` must be the raw bytes as received, before any parsing.
 * The signature carries no time, so it does not protect against a replay.
 */
export function isWebhookSigned(
  header: string,
  body: string | Uint8Array,
  signingKey: string,
): boolean {
  const wanted = Buffer.from(signWebhook(body, signingKey));
  return header
    .split(",")
    .map((pair) => Buffer.from(pair.trim()))
    .some(
      (given) =>
        given.length === wanted.length && timingSafeEqual(given, wanted),
    );
}
