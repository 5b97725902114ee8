import { sha256 } from "@noble/hashes/sha2.js";

/**
 * SHA-256 of a text in UTF-8, as base64url without padding. The browser's own
 * hash is missing on pages without https, and answers later only.
 */
export function hashText(text: string): string {
  const bytes = sha256(new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
