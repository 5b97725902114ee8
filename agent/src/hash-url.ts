import { hashText } from "./hash-text";
import type { UrlHashing } from "./start-options";

/** Origin with its last `/`, path, query and fragment; a text that is no URL is all path. */
const PARTS =
  /^([^:/?#]+:(?:\/\/[^/?#]*)?)?(\/?)([^?#]*)(\??)([^#]*)(#?)(.*)$/s;

/**
 * Puts hashes in place of the chosen parts of an address. Separators and empty
 * parts stay (docs/contract.md, "start()"); the pairs of a query are sorted
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
