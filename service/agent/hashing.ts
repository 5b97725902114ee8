import { sha256 } from "@noble/hashes/sha2.js";

/** Which parts of an address leave the page as hashes (docs/contract.md, "start()"). */
export interface UrlHashing {
  readonly path?: boolean;
  readonly query?: boolean;
  readonly fragment?: boolean;
}

/**
 * Origin with the `/` behind it, path, query and fragment. In a text that is no URL,
 * everything is path.
 */
const PARTS =
  /^([^:/?#]+:(?:\/\/[^/?#]*)?)?(\/?)([^?#]*)(\??)([^#]*)(#?)(.*)$/s;

/**
 * SHA-256 of a text in UTF-8, as base64url without padding. The browser's own
 * `crypto.subtle` exists on secure pages only, and is asynchronous.
 */
export function hashText(text: string): string {
  const bytes = sha256(new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Replaces the chosen parts of an address by their hashes. Separators and empty
 * parts stay (docs/contract.md, "start()"). The pairs of a query are sorted
 * first, so that their order makes no difference (docs/assumptions.md, A72).
 */
export function hashUrl(url: string, hashing: UrlHashing): string {
  const [
    ,
    origin = "",
    slash,
    path = "",
    mark,
    query = "",
    sign,
    fragment = "",
  ] = PARTS.exec(url) ?? [];
  const hashed = (part: string, isChosen = false) =>
    isChosen && part !== "" ? hashText(part) : part;
  return [
    origin,
    slash,
    hashed(path, hashing.path),
    mark,
    hashed(hashing.query ? sorted(query) : query, hashing.query),
    sign,
    hashed(fragment, hashing.fragment),
  ].join("");
}

function sorted(query: string): string {
  return query.split("&").sort().join("&");
}
