/** How a sealed result is laid out: header, nonce, ciphertext, tag (docs/contract.md, "Sealed client results"). */
export const SEALED_LAYOUT = {
  algorithm: "aes-256-gcm",
  header: Buffer.from([0x9e, 0x85, 0xdc, 0xed]),
  keyBytes: 32,
  nonceBytes: 12,
  tagBytes: 16,
} as const;

/** The 32 bytes of an encryption key's token; undefined where it is not base64 of so many, or not there. */
export function keyOfToken(token: string | undefined): Buffer | undefined {
  if (typeof token !== "string") return undefined;
  const key = Buffer.from(token, "base64");
  return key.length === SEALED_LAYOUT.keyBytes ? key : undefined;
}
