/** The names of a resource: for Pulumi, and in the program's code. */
export interface ResourceName {
  /** `shop-browser` */
  readonly name: string;
  /** `shopBrowser`: an identifier that is valid and unique in its file. */
  readonly identifier: string;
}

/** Columns: with a name of this width, the first line of a resource fits into 80 columns. */
const LONGEST_NAME = 26;

/** Characters of the ID that are appended to a repeated name, at least. */
export const SHORTEST_TAIL = 4;

/** Words that cannot be identifiers in a CommonJS module, or that the written files use themselves. */
const TAKEN = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval " +
    "export exports extends false finally for function if implements import in instanceof interface let " +
    "module new null package private protected public require return static super switch this throw true " +
    "try typeof undefined var void while with yield " +
    "config devid environments found idOf pulumi"
  ).split(" "),
);

/**
 * Gives objects of one kind unique names. The oldest object with a name gets the plain
 * name. Each later object gets the end of its ID appended, so that later objects do not
 * change the names of earlier objects.
 *
 * @example
 * const names = new ResourceNames("api-key");
 * names.add("tok_1aB2", "Shop: browser"); // { name: "shop-browser", identifier: "shopBrowser" }
 */
export class ResourceNames {
  readonly #identifiers = new Set<string>();

  readonly #taken: ReadonlySet<string>;

  readonly #kept = new Map<string, ResourceName>();

  /**
   * @param kind the name of an object whose own name has neither letter nor digit;
   * it is also appended to names that are reserved
   * @param taken further reserved identifiers
   * @param kept names by the IDs of their objects, which no other object gets
   */
  constructor(
    private readonly kind: string,
    taken: readonly string[] = [],
    kept: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#taken = new Set([...TAKEN, ...taken]);
    for (const [id, name] of kept) {
      const identifier = this.#identifier(name);
      if (this.#identifiers.has(identifier)) continue;
      this.#identifiers.add(identifier);
      this.#kept.set(id, { name, identifier });
    }
  }

  add(id: string, text: string): ResourceName {
    const kept = this.#kept.get(id);
    if (kept) return kept;
    const plain = cut(slug(text)) || this.kind;
    const letters = slug(id).replaceAll("-", "");
    for (let tail = 0; ; tail = Math.max(SHORTEST_TAIL, tail + 1)) {
      const name = tail === 0 ? plain : `${plain}-${letters.slice(-tail)}`;
      const identifier = this.#identifier(name);
      const isTaken = this.#identifiers.has(identifier);
      // IDs are unique, but their lower-case forms may be equal.
      if (isTaken && tail <= letters.length) continue;
      if (isTaken) throw new Error(`Two objects have the ID ${id}.`);
      this.#identifiers.add(identifier);
      return { name, identifier };
    }
  }

  #identifier(name: string): string {
    const identifier = camel(name);
    return this.#taken.has(identifier)
      ? camel(`${name}-${this.kind}`)
      : identifier;
  }
}

/** Names of devices: on Windows, no file may have one, whatever its extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** The name of a resource as the name of a file, without an extension. No resource's own name begins with `_`. */
export const fileNameOf = (name: string): string =>
  DEVICE.test(name) ? `_${name}` : name;

/** The letters and digits of a text, of any script, in lower case, with `-` between words. */
function slug(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{ID_Continue}]|_/gu, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
}

/** A name with `-` between its words, as an identifier: `shopBrowser`. */
export function camel(name: string): string {
  const words = name.replace(/-(.)/gu, (_, first: string) =>
    first.toUpperCase(),
  );
  return /^\p{ID_Start}/u.test(words) ? words : `_${words}`;
}

/** As many words from the start as fit; if the first word is too long, its beginning. */
function cut(name: string): string {
  let width = 0;
  let end = 0;
  for (const character of name) {
    // Characters of scripts other than Latin, Greek and Cyrillic may be two columns wide.
    width += character > "\u{52f}" ? 2 : 1;
    if (width > LONGEST_NAME) break;
    end += character.length;
  }
  if (end === name.length) return name;
  const words = name.slice(0, end + 1).lastIndexOf("-");
  return name.slice(0, words > 0 ? words : end);
}
