import fc from "fast-check";

/** One of some texts. */
export const pick = (...options: string[]) => fc.constantFrom(...options);

/** One of the words of a text, which blanks separate, or one of other texts. */
export const wordOf = (words: string, ...others: string[]) =>
  pick(...words.split(" "), ...others);

/** Some words of a text in any order, without blanks between them. */
export const mixed = (words: string, maxLength: number) =>
  fc
    .array(wordOf(words), { minLength: 1, maxLength })
    .map((chosen) => chosen.join(""));

type Texts = Readonly<Record<string, fc.Arbitrary<string>>>;

/**
 * Texts of a grammar: a block for each name, with the depth to which it may contain itself,
 * and a line for each of its forms. `{name}` stands for a text of that name, or of a leaf;
 * `{one|other}` for a text of one of them.
 */
export const grammar = (blocks: string, leaves: Texts): Texts =>
  fc.letrec<Record<string, string>>((tie) => {
    const of = (name: string) => leaves[name] ?? tie(name);
    const formOf = (form: string) =>
      fc
        .tuple(
          ...form
            .split(/\{([^{}]+)\}/)
            .map((part, i) =>
              i % 2 === 0
                ? fc.constant(part)
                : fc.oneof(...part.split("|").map(of)),
            ),
        )
        .map((parts) => parts.join(""));
    const entries = blocks.split("\n\n").map((block) => {
      const [head = "", ...forms] = block.trim().split("\n");
      const [name = "", depth] = head.split(" ");
      const limits = {
        ...(depth && { maxDepth: Number(depth), depthIdentifier: name }),
      };
      return [name, fc.oneof(limits, ...forms.map(formOf))] as const;
    });
    return Object.fromEntries(entries);
  });
