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
