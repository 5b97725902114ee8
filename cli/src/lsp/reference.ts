import { FIELDS, FUNCTIONS, KNOWN_HEADERS, OPERATORS } from "@devid/rules";
import { CompletionItemKind } from "vscode-languageserver/node";

/** A word of the rule language. */
export interface Word {
  readonly label: string;
  /** The text to insert, if it is not the label. */
  readonly text?: string;
  readonly kind: CompletionItemKind;
  /** What the word means, Markdown. */
  readonly markdown: string;
}

const code = (text: string) => `\`\`\`\n${text}\n\`\`\``;
const valuesText = (values: readonly string[] | undefined) =>
  values ? `\n\nValues: ${values.map((one) => `\`${one}\``).join(", ")}` : "";

/** The fields, functions and operators. */
export const WORDS: readonly Word[] = [
  ...FIELDS.map(({ name, type, doc, example, symbolic }) => ({
    label: name,
    kind: CompletionItemKind.Field,
    markdown: `**${name}** (${type})\n\n${doc}${valuesText(symbolic?.kind === "variable" ? symbolic.values : undefined)}\n\n${code(example)}`,
  })),
  ...FUNCTIONS.map(({ name, call, doc, example }) => ({
    label: name,
    text: `${name}(`,
    kind: CompletionItemKind.Function,
    markdown: `**${call}**\n\n${doc}\n\n${code(example)}`,
  })),
  ...OPERATORS.map(({ name, doc, example }) => ({
    label: name,
    kind: CompletionItemKind.Operator,
    markdown: `**${name}**\n\n${doc}\n\n${code(example)}`,
  })),
];

/** The headers whose names and values are known. */
export const HEADERS: readonly Word[] = KNOWN_HEADERS.map(
  ({ name, doc, values }) => ({
    label: name,
    kind: CompletionItemKind.Property,
    markdown: `**${name}** (header)\n\n${doc}${valuesText(values)}`,
  }),
);

/** The word at a place in a line of an expression, with its place; undefined if the reference does not have it. */
export function wordAt(line: string, character: number) {
  for (const { 0: text, index: from } of line.matchAll(/[\w.-]+/g)) {
    const to = from + text.length;
    if (character < from || character > to) continue;
    const word = [...WORDS, ...HEADERS].find(
      ({ label, kind }) =>
        text === label ||
        (kind === CompletionItemKind.Field && text.startsWith(`${label}.`)),
    );
    return word && { markdown: word.markdown, from, to };
  }
  return undefined;
}
