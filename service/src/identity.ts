import { randomBytes, randomInt } from "node:crypto";

const LETTERS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new ID of a record, such as `tok_4tR...` for the prefix `tok`. */
export function newId(prefix: string): string {
  return `${prefix}_${letters(16)}`;
}

/**
 * A new API key: 20 letters and digits for a public one, 32 for a secret one.
 */
export function newToken(type: string): string {
  return letters(type === "public" ? 20 : 32);
}

/** A new signing key of a webhook. */
export const newSigningKey = () => randomBytes(32).toString("base64url");

/** A new token of an encryption key: base64 of 32 bytes (docs/contract.md, "Encryption key record"). */
export const newEncryptionToken = () => randomBytes(32).toString("base64");

/** A new visitor ID: 20 letters and digits. */
export const newVisitorId = () => letters(20);

/** A new ID that a browser is to keep: 32 letters and digits. */
export const newStorageId = () => letters(32);

/**
 * How many different event IDs one millisecond can have: six letters or digits.
 */
const EVENT_IDS = LETTERS.length ** 6;

/**
 * It has no divisor in common with that number, so every ID is used before one
 * comes again.
 */
const STEP = 24_036_583_279;

let lastEventId = randomInt(EVENT_IDS);

/**
 * A new event ID such as `1732160000000.AbC123`. A process never makes the same
 * one twice.
 */
export function newEventId(timestampMs: number): string {
  lastEventId = (lastEventId + STEP) % EVENT_IDS;
  let rest = lastEventId;
  let end = "";
  for (let n = 0; n < 6; n++) {
    end = LETTERS.charAt(rest % LETTERS.length) + end;
    rest = Math.floor(rest / LETTERS.length);
  }
  return `${timestampMs}.${end}`;
}

function letters(count: number): string {
  return Array.from({ length: count }, () =>
    LETTERS.charAt(randomInt(LETTERS.length)),
  ).join("");
}
