import { createCipheriv, randomBytes, createDecipheriv } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Bytes, bytesOf } from "../bytes";
import { kindOf } from "../kind-of";
import { DevidError, InvalidInputError, type ErrorCause } from "../http/errors";
import type { Event } from "../server-api/event";
import { EventRecord } from "../wire/event";

/** How a sealed result is laid out: header, nonce, ciphertext, tag (docs/contract.md, "Sealed client results"). */
const header = Buffer.from([0x9e, 0x85, 0xdc, 0xed]);
const nonceBytes = 12;
const tagBytes = 16;

const algorithm = "aes-256-gcm";
const keyBytes = 32;

/**
 * The 32 bytes of an encryption key's token. Undefined if there is no token, or if it is
 * not the base64 of 32 bytes.
 */
function keyOfToken(token: unknown): Buffer | undefined {
  if (typeof token !== "string") return undefined;
  const key = Buffer.from(token, "base64");
  return key.length === keyBytes ? key : undefined;
}

/**
 * Seals an event, given as JSON, with the token of an encryption key (docs/contract.md,
 * "Sealed client results"). `unseal` opens the result. No two results are the same.
 * @throws InvalidInputError for an event that is no text, or a token that is not base64 of
 * 32 bytes
 *
 * @example
 * const sealedResult = seal(JSON.stringify(event), token).toString("base64");
 */
export function seal(event: string, token: string): Buffer {
  if (typeof event !== "string")
    throw unsealable("event", `must be JSON, but is ${kindOf(event)}`);
  const key = keyOfToken(token);
  if (!key)
    throw unsealable(
      "token",
      `must be base64 of 32 bytes, as the token of an encryption key is`,
    );
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, {
    authTagLength: tagBytes,
  });
  const text = cipher.update(deflateRawSync(event));
  return Buffer.concat([
    header,
    nonce,
    text,
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const unsealable = (property: string, message: string) =>
  new InvalidInputError("Sealing an event", [{ property, message }], "failed");

/**
 * A sealed result cannot be opened. The message says why. It contains no part of the
 * result or of a key.
 */
export class UnsealError extends DevidError {
  override readonly name = "UnsealError";

  constructor(problem: string, options?: ErrorCause) {
    super(`Opening a sealed result failed: ${problem}`, options);
  }
}

/** An event has some KB. A larger text is an attack on the memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Opens a sealed result (docs/contract.md, "Sealed client results"). `keys` are tokens
 * of encryption keys, base64 of 32 bytes, which are tried in turn, or one token. Around a
 * rotation, pass `token` and `previous_token`. Throws UnsealError if the bytes are not a
 * sealed result, a key is not valid, no key opens the result, or no event is inside.
 *
 * @example
 * const event = unseal(Buffer.from(sealedResult, "base64"), [token]);
 */
export function unseal(bytes: Bytes, keys: string | readonly string[]): Event {
  const copy = bytesOf(bytes);
  if (!copy)
    throw new UnsealError(
      "it must be given as bytes. If the result came as base64, decode it first.",
    );
  const sealed = Buffer.from(copy.buffer);
  if (!sealed.subarray(0, header.length).equals(header))
    throw new UnsealError(
      "the bytes do not begin with its header. If the result came as base64, decode it first.",
    );
  if (sealed.length < header.length + nonceBytes + tagBytes)
    throw new UnsealError("the result is cut short.");
  const usable = keysOf(keys);
  for (const key of usable) {
    const packed = decrypt(sealed, key);
    if (packed) return eventIn(packed);
  }
  throw new UnsealError(
    `none of ${usable.length} keys opens it. It was sealed with another key, or was changed on the way.`,
  );
}

/** The keys of all tokens. A list has no holes: a token that is missing is an error. */
function keysOf(tokens: string | readonly string[]): Buffer[] {
  const given: unknown[] = Array.isArray(tokens)
    ? Array.from(tokens)
    : [tokens];
  if (given.length === 0) throw new UnsealError("no key was given.");
  return given.map((token, index) => {
    const key = keyOfToken(token);
    if (key) return key;
    const isWhat =
      token === undefined || token === null
        ? `is ${String(token)}, and `
        : "is ";
    throw new UnsealError(
      `key ${index + 1} of ${given.length} ${isWhat}not base64 of 32 bytes, as the token of an encryption key is.`,
    );
  });
}

/** The decrypted content; undefined if it was sealed with another key. */
function decrypt(sealed: Buffer, key: Buffer): Buffer | undefined {
  const body = sealed.subarray(header.length);
  const decipher = createDecipheriv(
    algorithm,
    key,
    body.subarray(0, nonceBytes),
    { authTagLength: tagBytes },
  ).setAuthTag(body.subarray(-tagBytes));
  const text = decipher.update(body.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}

function eventIn(packed: Buffer): Event {
  let json: unknown;
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
    json = JSON.parse(text.toString());
  } catch {
    // The parser's message quotes the event, which must not get into a log.
    throw new UnsealError(
      "its content is not compressed JSON of at most 16 MB.",
    );
  }
  const event = EventRecord.safeParse(json);
  if (event.success) return event.data;
  throw new UnsealError("its content is not an event.", {
    cause: event.error,
  });
}
