import {
  signWebhook,
  verifyWebhook,
  WEBHOOK_SIGNATURE_HEADER,
} from "@devid/sdk/webhooks";
import { describe, expect, it } from "vitest";

const KEY = "whsec_example";
const BODY = '{"event_id":"1.a","name":"Žofie"}';
// printf %s "$BODY" | openssl dgst -sha256 -hmac "$KEY"
const SIGNATURE =
  "v1=1d0bbf9689587937f5d1f4960e59ce15a6dfb32f76caadeba9829d2fe397dbb8";

// The public vector of docs/contract.md, "Webhook delivery".
const PUBLISHED =
  "v1=1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db";

describe("the signature of a webhook delivery", () => {
  it("is v1= and the HMAC-SHA256 of the raw body", () => {
    expect(signWebhook(BODY, KEY)).toBe(SIGNATURE);
    expect(signWebhook(Buffer.from(BODY), KEY)).toBe(SIGNATURE);
    expect(signWebhook("data", "secret")).toBe(PUBLISHED);
    expect(WEBHOOK_SIGNATURE_HEADER).toBe("fpjs-event-signature");
  });

  it.each([
    ["alone", SIGNATURE, true],
    ["after a wrong one", `v1=${"0".repeat(64)}, ${SIGNATURE}`, true],
    ["before a wrong one", `${SIGNATURE},v1=${"0".repeat(64)}`, true],
    ["beside another version", `v2=abc,${SIGNATURE}`, true],
    ["of another version", SIGNATURE.replace("v1", "v2"), false],
    ["without a version", SIGNATURE.slice(3), false],
    ["in capitals", SIGNATURE.toUpperCase(), false],
    ["cut short", SIGNATURE.slice(0, -1), false],
    ["that goes on", `${SIGNATURE}0`, false],
    ["with one digit off", SIGNATURE.replace(/.$/, "x"), false],
    ["without a hash", "v1=", false],
    ["with a letter of two bytes", SIGNATURE.replace(/.$/, "é"), false],
    ["that is empty", "", false],
    ["that is not there", undefined, false],
    ["that Headers does not have", null, false],
  ])("%s counts as it should", (_, header, isSigned) => {
    expect(verifyWebhook(BODY, header, KEY)).toBe(isSigned);
    expect(verifyWebhook(Buffer.from(BODY), header, KEY)).toBe(isSigned);
  });

  it("agrees with the published vector", () => {
    expect(verifyWebhook("data", PUBLISHED, "secret")).toBe(true);
    expect(verifyWebhook("datA", PUBLISHED, "secret")).toBe(false);
    expect(verifyWebhook("data", PUBLISHED, "Secret")).toBe(false);
  });

  it("is void for another body or another key", () => {
    expect(verifyWebhook(`${BODY} `, SIGNATURE, KEY)).toBe(false);
    expect(verifyWebhook(BODY, SIGNATURE, `${KEY}2`)).toBe(false);
  });

  it("is of the bytes, whatever they spell", () => {
    const bytes = Uint8Array.of(0, 255, 254, 128);
    const header = signWebhook(bytes, KEY);
    expect(verifyWebhook(bytes, header, KEY)).toBe(true);
    expect(verifyWebhook(Uint8Array.of(0, 255, 253, 128), header, KEY)).toBe(
      false,
    );
  });

  it("is never right under an empty key", () => {
    expect(verifyWebhook(BODY, signWebhook(BODY, ""), "")).toBe(false);
  });
});
