import { KNOWN_HEADERS, knownHeader } from "../../language/tables/headers";
import { nearest } from "../set/nearest";

const withoutSigns = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const BY_LETTERS = new Map(
  KNOWN_HEADERS.map(({ name }) => [withoutSigns(name), name]),
);
/** Names that begin with X-, and other names, are compared separately. */
const lettersOf = (isOwn: boolean) =>
  [...BY_LETTERS]
    .filter(([, name]) => name.startsWith("X-") === isOwn)
    .map(([letters]) => letters);
const OWN_LETTERS = lettersOf(true);
const LETTERS = lettersOf(false);

/** Shorter names are taken for other names, not for misspelt ones. */
const SHORTEST = 5;
/** More letters than any known name has. */
const LONGEST = 40;

const looked = new Map<string, string | undefined>();
const MAX_LOOKED = 1_000;

/** The header whose name is misspelt; undefined for a known name, and for one like none. */
export function misspeltHeader(name: string): string | undefined {
  if (looked.has(name)) return looked.get(name);
  const found = knownHeader(name) ? undefined : likeHeader(name);
  if (looked.size >= MAX_LOOKED) looked.clear();
  looked.set(name, found);
  return found;
}

function likeHeader(name: string): string | undefined {
  const letters = withoutSigns(name);
  const isOwn = name.startsWith("X-");
  const known =
    BY_LETTERS.get(letters) ??
    (letters.length < SHORTEST || letters.length > LONGEST
      ? undefined
      : BY_LETTERS.get(
          nearest(
            letters,
            isOwn ? OWN_LETTERS : LETTERS,
            letters.length > 8 ? 2 : 1,
          ) ?? "",
        ));
  // A name with X- is not a misspelt name without X-, and the other way round.
  return known?.startsWith("X-") === isOwn ? known : undefined;
}
