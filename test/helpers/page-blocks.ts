/** The code of the blocks of a language in a page, in their order. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  );

/** The code of the first block of a language. Throws if there is none. */
export function blockOf(page: string, language: string): string {
  const [first] = blocksOf(page, language);
  if (first === undefined) throw new Error(`There is no block of ${language}.`);
  return first;
}

/** What stands below a heading of a page, up to the next one; empty without the heading. */
export const sectionOf = (page: string, heading: string): string =>
  page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
