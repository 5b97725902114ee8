import { createDecipheriv } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import type { Event } from "../events/event";
import { EventRecord } from "../events/wire";
import { keyOfToken, SEALED_LAYOUT } from "./sealed-layout";
import { UnsealError } from "./unseal-error";

const { algorithm, header, nonceBytes, tagBytes } = SEALED_LAYOUT;

/** An event is some KB; more than this is no event but an attack on the memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Opens a sealed result (docs/contract.md, "Sealed client results"). `keys` are
 * tokens of encryption keys, base64 of 32 bytes, tried in turn: around a
 * rotation `token` and `previous_token`. Throws UnsealError: not sealed bytes,
 * a key that is none, no key that opens it, no event inside.
 *
 * @example
 * const event = unseal(Buffer.from(sealedResult, "base64"), [token]);
 */
export function unseal(bytes: Uint8Array, keys: readonly string[]): Event {
  const sealed = Buffer.from(bytes);
  if (!sealed.subarray(0, header.length).equals(header))
    throw new UnsealError(
      "the bytes do not start like one. If it came as base64, decode it first.",
    );
  if (sealed.length < header.length + nonceBytes + tagBytes)
    throw new UnsealError("it is cut short.");
  if (keys.length === 0) throw new UnsealError("no key was given.");
  for (const [index, token] of keys.entries()) {
    const key = keyOfToken(token);
    if (!key)
      throw new UnsealError(
        `key ${index + 1} of ${keys.length} is not base64 of 32 bytes, as the token of an encryption key is.`,
      );
    const packed = decrypt(sealed, key);
    if (packed) return eventIn(packed);
  }
  throw new UnsealError(
    `none of ${keys.length} keys opens it. It was sealed with another key, or changed on its way.`,
  );
}

/** What was sealed; undefined where it was not sealed with this key. */
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
    // The parser's message quotes the event, and belongs in no log.
    throw new UnsealError("there is no compressed JSON inside.");
  }
  const event = EventRecord.safeParse(json);
  if (event.success) return event.data;
  throw new UnsealError("what is inside is not an event.", {
    cause: event.error,
  });
}
