/** What a resource is called in a program: by Pulumi, and by the code. */
export interface ResourceName {
  /** `shop-browser` */
  readonly name: string;
  /** `shopBrowser`: an identifier that is valid and unique in its file. */
  readonly identifier: string;
}

/** In columns; with an identifier of this width the first line of a resource fits 80. */
const LONGEST_NAME = 26;

/** Characters of an ID that tell equal names apart, at first. */
const SHORTEST_TAIL = 4;

/** Words that cannot name a constant of a CommonJS module, or that the written files use themselves. */
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
 * Gives objects of one kind names that do not depend on the other objects: the
 * oldest of those that would be called the same has the plain name, each other
 * one the end of its ID behind it.
 *
 * @example
 * const names = new ResourceNames("api-key");
 * names.add("tok_1aB2", "Shop: browser"); // { name: "shop-browser", identifier: "shopBrowser" }
 */
export class ResourceNames {
  readonly #identifiers = new Set<string>();

  readonly #taken: ReadonlySet<string>;

  /**
   * `kind` names what has no letter or digit in its name, and stands behind a
   * word of the language, or one that is among `taken`.
   */
  constructor(
    private readonly kind: string,
    taken: readonly string[] = [],
  ) {
    this.#taken = new Set([...TAKEN, ...taken]);
  }

  add(id: string, text: string): ResourceName {
    const plain = cut(slug(text)) || this.kind;
    const letters = slug(id).replaceAll("-", "");
    for (let tail = 0; ; tail = Math.max(SHORTEST_TAIL, tail + 1)) {
      const name = tail === 0 ? plain : `${plain}-${letters.slice(-tail)}`;
      const identifier = this.#identifier(name);
      const isTaken = this.#identifiers.has(identifier);
      // An ID is unique, its lower-case form need not be.
      if (isTaken && tail <= letters.length) continue;
      if (isTaken) throw new Error(`Two objects have the ID ${id}.`);
      this.#identifiers.add(identifier);
      return { name, identifier };
    }
  }

  #identifier(name: string): string {
    const identifier = camel(name);
    if (this.#taken.has(identifier)) return camel(`${name}-${this.kind}`);
    return /^\p{ID_Start}/u.test(identifier) ? identifier : `_${identifier}`;
  }
}

/** Letters and digits of any script, in lower case, words joined by `-`. */
function slug(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{ID_Continue}]|_/gu, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
}

const camel = (name: string) =>
  name.replace(/-(.)/gu, (_, first: string) => first.toUpperCase());

/** The words at the start that fit; of a first word that is too long, its start. */
function cut(name: string): string {
  let width = 0;
  let end = 0;
  for (const character of name) {
    // A character beyond Latin, Greek and Cyrillic may be two columns wide.
    width += character > "\u{52f}" ? 2 : 1;
    if (width > LONGEST_NAME) break;
    end += character.length;
  }
  if (end === name.length) return name;
  const words = name.slice(0, end + 1).lastIndexOf("-");
  return name.slice(0, words > 0 ? words : end);
}
