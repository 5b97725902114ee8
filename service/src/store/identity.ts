import { randomBytes, randomInt } from "node:crypto";

const LETTERS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** What IDs start with (docs/contract.md, the records; the encryption key's is our own choice). */
export type IdPrefix = "ae" | "tok" | "ek" | "tr" | "wh";

/** A new ID such as `tok_4tR...`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${letters(16)}`;
}

/** A new API key token: 20 letters and digits for an agent's key, 32 for one that is secret. */
export function newToken(type: string): string {
  return letters(type === "public" ? 20 : 32);
}

/** A new signing key of a webhook. */
export function newSigningKey(): string {
  return randomBytes(32).toString("base64url");
}

/** A new token of an encryption key: base64 of 32 bytes (docs/contract.md, "Encryption key record"). */
export function newEncryptionToken(): string {
  return randomBytes(32).toString("base64");
}

function letters(count: number): string {
  return Array.from({ length: count }, () =>
    LETTERS.charAt(randomInt(LETTERS.length)),
  ).join("");
}
