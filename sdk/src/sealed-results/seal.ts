import { createCipheriv, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { keyOfToken, SEALED_LAYOUT } from "./sealed-layout";

const { algorithm, header, nonceBytes, tagBytes } = SEALED_LAYOUT;

/**
 * Seals an event, given as JSON, with the token of an encryption key
 * (docs/contract.md, "Sealed client results"): what `unseal` opens. No two
 * results are the same. Throws TypeError where the token is not base64 of 32
 * bytes.
 */
export function seal(event: string, token: string): Buffer {
  const key = keyOfToken(token);
  if (!key) throw new TypeError("The token is not base64 of 32 bytes.");
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
