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
      `v1=${SIGNATURE.slice(3).toUpperCase()}`,
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

  it("takes as long for a header of thousands of pairs as for one", async () => {
    const body = "x".repeat(1_000_000);
    const header = Array<string>(2_600).fill("v1=ab").join();
    const before = process.cpuUsage();
    expect(await verifyWebhook(body, header, KEY)).toBe(false);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
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
    const other = Uint8Array.of(0, 255, 253, 128);
    expect(await verifyWebhook(other, header, KEY)).toBe(false);
  });

  it.each<[string, string | string[]]>([
    ["in a list, as Node's headersDistinct has it", [SIGNATURE]],
    ["that came twice", ["v1=00", SIGNATURE]],
  ])("is found %s", async (_, header) => {
    expect(await verifyWebhook(BODY, header, KEY)).toBe(true);
  });

  it("covers the bytes of every kind of buffer", async () => {
    const { buffer } = new TextEncoder().encode(BODY);
    const shifted = new TextEncoder().encode(`  ${BODY}`).buffer;
    for (const body of [
      buffer,
      new DataView(buffer),
      new Uint8Array(shifted, 2),
      new DataView(shifted, 2),
      new Uint16Array(buffer.slice(0, 4)),
    ]) {
      const bytes = Buffer.from(
        "buffer" in body ? body.buffer : body,
        "byteOffset" in body ? body.byteOffset : 0,
        body.byteLength,
      );
      const header = await signWebhook(bytes, KEY);
      expect(await signWebhook(body, KEY)).toBe(header);
      expect(await verifyWebhook(body, header, KEY)).toBe(true);
    }
  });
});

/** Expects that a check cannot be done. */
const expectMisuse = (check: Promise<unknown>, message: RegExp) =>
  expect(check).rejects.toMatchObject({
    ...{ name: "WebhookError", problem: "misused" },
    message: expect.stringMatching(message) as unknown,
  });

describe("what is no key and no body", () => {
  /** The signature that anybody can make who knows how the value is written. */
  const signedBy = (key: string) =>
    `v1=${createHmac("sha256", key).update(BODY).digest("hex")}`;
  const NO_KEYS: [string, unknown][] = [
    ["an empty text", ""],
    ["a blank text", " \n"],
    ["null", null],
    ["undefined", undefined],
    ["an object", {}],
    ["a number", 0],
    ["true", true],
    ["bytes", Buffer.from(KEY)],
    ["a list in a list", [KEY]],
  ];

  it.each(NO_KEYS)("is an error, never a match: %s", async (_, key) => {
    const header = signedBy(String(key));
    const check = async (keys: unknown) =>
      verifyWebhook(BODY, header, keys as string);
    if (!Array.isArray(key))
      await expectMisuse(check(key), /: signingKeys is /);
    for (const keys of [
      [key, KEY],
      [KEY, key],
    ])
      await expectMisuse(
        check(keys),
        /: signingKeys\[[01]\] is .* Check the setting/,
      );
    await expectMisuse(
      parseWebhook(BODY, header, [key] as string[]),
      /: signingKeys\[0\] is /,
    );
    await expectMisuse(signWebhook(BODY, key as string), /: signingKey is /);
  });

  it("is an error in a list that is empty or has a hole", async () => {
    for (const keys of [[], Array<string>(2), new Array<string>(1).concat(KEY)])
      await expectMisuse(
        verifyWebhook(BODY, SIGNATURE, keys),
        /signingKeys(\[0\])? is /,
      );
  });

  it.each([undefined, null, 3, true, { event_id: "1.warbler" }, ["warbler"]])(
    "is an error as a body, without its content: %j",
    async (body) => {
      const check = verifyWebhook(body as never, SIGNATURE, KEY);
      await expectMisuse(check, /: rawBody is .* before it is parsed/);
      expect(await check.catch(String)).not.toContain("warbler");
      await expectMisuse(signWebhook(body as never, KEY), /rawBody/);
    },
  );
});

// contract: webhook-9
it("a check with several keys succeeds if one of them is right, in any position", async () => {
  for (const keys of [
    [KEY, "old"],
    ["new", KEY],
  ])
    expect(await verifyWebhook(BODY, SIGNATURE, keys)).toBe(true);
  expect(await verifyWebhook(BODY, SIGNATURE, ["new", "old"])).toBe(false);
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
