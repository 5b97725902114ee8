import {
  isWebhookSigned,
  signWebhook,
  WEBHOOK_SIGNATURE_HEADER,
} from "@devid/sdk/delivery";
import { describe, expect, it } from "vitest";

const KEY = "whsec_example";
const BODY = '{"event_id":"1.a","name":"Žofie"}';
// printf %s "$BODY" | openssl dgst -sha256 -hmac "$KEY"
const SIGNATURE =
  "v1=1d0bbf9689587937f5d1f4960e59ce15a6dfb32f76caadeba9829d2fe397dbb8";

describe("the signature of a webhook delivery", () => {
  it("is v1= and the HMAC-SHA256 of the raw body", () => {
    expect(signWebhook(BODY, KEY)).toBe(SIGNATURE);
    expect(signWebhook(Buffer.from(BODY), KEY)).toBe(SIGNATURE);
    expect(WEBHOOK_SIGNATURE_HEADER).toBe("fpjs-event-signature");
  });

  it.each([
    ["alone", SIGNATURE, true],
    ["after a wrong one", `v1=${"0".repeat(64)}, ${SIGNATURE}`, true],
    ["beside another version", `v2=abc,${SIGNATURE}`, true],
    ["of another version", SIGNATURE.replace("v1", "v2"), false],
    ["without a version", SIGNATURE.slice(3), false],
    ["in capitals", SIGNATURE.toUpperCase(), false],
    ["cut short", SIGNATURE.slice(0, -1), false],
    ["with one digit off", SIGNATURE.replace(/.$/, "x"), false],
    ["that is empty", "", false],
  ])("%s counts as it should", (_, header, isSigned) => {
    expect(isWebhookSigned(header, BODY, KEY)).toBe(isSigned);
  });

  it("is void for another body or another key", () => {
    expect(isWebhookSigned(SIGNATURE, `${BODY} `, KEY)).toBe(false);
    expect(isWebhookSigned(SIGNATURE, BODY, `${KEY}2`)).toBe(false);
  });
});
