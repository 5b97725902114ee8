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
 * Whether a delivery was signed with this key (docs/contract.md, "Webhook
 * delivery"). `rawBody` is what was received, before any parsing, as bytes or
 * as their UTF-8 text. `header` is the value of the header, null or undefined
 * where it is missing: pairs `version=hash` with commas between; one right `v1`
 * is enough, other versions are passed over. How long it takes tells nothing
 * of the right hash. An empty signing key, which anybody could sign with, is
 * never right. The signature carries no time: against a replay, keep the
 * `event_id`s that were seen (docs/assumptions.md, A83).
 *
 * @example
 * const header = request.headers.get(WEBHOOK_SIGNATURE_HEADER);
 * if (!verifyWebhook(await request.text(), header, signingKey))
 *   return new Response(null, { status: 403 });
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  signingKey: string,
): boolean {
  if (signingKey === "") return false;
  const wanted = Buffer.from(signWebhook(rawBody, signingKey));
  return (header ?? "")
    .split(",")
    .map((pair) => Buffer.from(pair.trim()))
    .some(
      (given) =>
        given.length === wanted.length && timingSafeEqual(given, wanted),
    );
}
