import { createHmac } from "node:crypto";
import {
  parseWebhook,
  signWebhook,
  verifyWebhook,
  WEBHOOK_SIGNATURE_HEADER,
  WebhookError,
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
  // contract: webhook-8
  it("is v1= and the HMAC-SHA256 of the raw body", async () => {
    expect(await signWebhook(BODY, KEY)).toBe(SIGNATURE);
    expect(await signWebhook(Buffer.from(BODY), KEY)).toBe(SIGNATURE);
    expect(await signWebhook("data", "secret")).toBe(PUBLISHED);
    expect(WEBHOOK_SIGNATURE_HEADER).toBe("fpjs-event-signature");
  });

  // contract: webhook-8
  it.each([
    ["alone", SIGNATURE, true],
    ["after a wrong one", `v1=${"0".repeat(64)}, ${SIGNATURE}`, true],
    ["before a wrong one", `${SIGNATURE},v1=${"0".repeat(64)}`, true],
    ["beside another version", `v2=abc,${SIGNATURE}`, true],
    ["of another version", SIGNATURE.replace("v1", "v2"), false],
    ["without a version", SIGNATURE.slice(3), false],
    ["in capitals", SIGNATURE.toUpperCase(), false],
    [
      "with its hash in capitals",
      SIGNATURE.replace(/[a-f]+/g, (letters) => letters.toUpperCase()),
      false,
    ],
    ["cut short", SIGNATURE.slice(0, -1), false],
    ["that goes on", `${SIGNATURE}0`, false],
    ["with one digit off", SIGNATURE.replace(/.$/, "x"), false],
    ["without a hash", "v1=", false],
    ["with a letter of two bytes", SIGNATURE.replace(/.$/, "é"), false],
    ["that is empty", "", false],
    ["that is not there", undefined, false],
    ["that Headers does not have", null, false],
  ])("is checked correctly: %s", async (_, header, isSigned) => {
    expect(await verifyWebhook(BODY, header, KEY)).toBe(isSigned);
    expect(await verifyWebhook(Buffer.from(BODY), header, KEY)).toBe(isSigned);
  });

  // contract: webhook-8, webhook-9
  it("agrees with the published vector", async () => {
    expect(await verifyWebhook("data", PUBLISHED, "secret")).toBe(true);
    expect(await verifyWebhook("datA", PUBLISHED, "secret")).toBe(false);
    expect(await verifyWebhook("data", PUBLISHED, "Secret")).toBe(false);
  });

  it("is wrong for another body or another key", async () => {
    expect(await verifyWebhook(`${BODY} `, SIGNATURE, KEY)).toBe(false);
    expect(await verifyWebhook(BODY, SIGNATURE, `${KEY}2`)).toBe(false);
  });

  it("covers the bytes of the body, also if they are not UTF-8", async () => {
    const bytes = Uint8Array.of(0, 255, 254, 128);
    const header = await signWebhook(bytes, KEY);
    expect(await verifyWebhook(bytes, header, KEY)).toBe(true);
    expect(
      await verifyWebhook(Uint8Array.of(0, 255, 253, 128), header, KEY),
    ).toBe(false);
  });

  it("is never right with an empty key", async () => {
    const hash = createHmac("sha256", "").update(BODY).digest("hex");
    const signedByNobody = `v1=${hash}`;
    expect(await verifyWebhook(BODY, signedByNobody, "")).toBe(false);
  });
});

describe("a check with several keys", () => {
  // contract: webhook-9
  it("succeeds if one of them is right, in any position", async () => {
    for (const keys of [
      [KEY, "old"],
      ["new", KEY],
      ["", KEY],
    ])
      expect(await verifyWebhook(BODY, SIGNATURE, keys)).toBe(true);
    expect(await verifyWebhook(BODY, SIGNATURE, ["new", "old"])).toBe(false);
    expect(await verifyWebhook(BODY, SIGNATURE, [])).toBe(false);
  });
});

describe("parseWebhook", () => {
  const EVENT = '{"event_id":"1.a","timestamp":1700000000000,"new":{"x":1}}';
  const refused = (problem: string) =>
    expect.objectContaining({ name: "WebhookError", problem }) as unknown;

  it("returns the event with all its members", async () => {
    const header = await signWebhook(EVENT, KEY);
    const event = await parseWebhook(EVENT, header, ["new", KEY]);
    expect(event).toEqual(JSON.parse(EVENT));
    const bytes = new TextEncoder().encode(EVENT);
    expect(await parseWebhook(bytes, header, KEY)).toEqual(event);
  });

  it.each<[string, string | undefined, string[]]>([
    ["another key", "old", [KEY]],
    ["no header", undefined, [KEY]],
    ["no key", KEY, []],
  ])("refuses %s", async (_, signedBy, keys) => {
    const header = signedBy && (await signWebhook(EVENT, signedBy));
    const error = await parseWebhook(EVENT, header, keys).catch(
      (error: unknown) => error,
    );
    expect(error).toEqual(refused("unsigned"));
    expect(error).toBeInstanceOf(WebhookError);
    expect(String(error)).not.toMatch(/1\.a|whsec/);
  });

  it.each(["", "warbler", "[]", '{"event_id":"warbler"}'])(
    "reports a signed body that is not an event, without quoting it: %s",
    async (body) => {
      const header = await signWebhook(body, KEY);
      const error = await parseWebhook(body, header, KEY).catch(
        (error: unknown) => error,
      );
      expect(error).toEqual(refused("unreadable"));
      expect(String(error)).not.toContain("warbler");
    },
  );
});
