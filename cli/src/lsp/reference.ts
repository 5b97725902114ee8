import {
  FIELDS,
  FUNCTIONS,
  KNOWN_HEADERS,
  OPERATORS,
  type Field,
  type KnownHeader,
  type LanguageFunction,
} from "@devid/rules";

type OperatorRow = (typeof OPERATORS)[number];

const code = (text: string) => `\`\`\`\n${text}\n\`\`\``;

/** What the reference says of a field, Markdown. */
export function fieldMarkdown({ name, type, doc, example, symbolic }: Field) {
  const values =
    symbolic?.kind === "variable" && symbolic.values
      ? `\n\nValues: ${symbolic.values.map((one) => `\`${one}\``).join(", ")}`
      : "";
  return `**${name}** (${type})\n\n${doc}${values}\n\n${code(example)}`;
}

/** What the reference says of a function, Markdown. */
export const functionMarkdown = ({ call, doc, example }: LanguageFunction) =>
  `**${call}**\n\n${doc}\n\n${code(example)}`;

/** What the reference says of an operator, Markdown. */
export const operatorMarkdown = ({ name, doc, example }: OperatorRow) =>
  `**${name}**\n\n${doc}\n\n${code(example)}`;

/** What is known of a header, Markdown. */
export function headerMarkdown({ name, doc, values }: KnownHeader): string {
  const known = values
    ? `\n\nValues: ${values.map((one) => `\`${one}\``).join(", ")}`
    : "";
  return `**${name}** (header)\n\n${doc}${known}`;
}

/**
 * The reference text of the word at a place in an expression; undefined if the
 * reference does not have the word.
 */
export function referenceAt(
  line: string,
  character: number,
):
  | { readonly markdown: string; readonly from: number; readonly to: number }
  | undefined {
  for (const match of line.matchAll(/[\w.-]+/g)) {
    const [word] = match;
    const from = match.index;
    const to = from + word.length;
    if (character < from || character > to) continue;
    const markdown = markdownOf(word);
    return markdown === undefined ? undefined : { markdown, from, to };
  }
  return undefined;
}

function markdownOf(word: string): string | undefined {
  const field = FIELDS.find(
    ({ name }) => word === name || word.startsWith(`${name}.`),
  );
  if (field) return fieldMarkdown(field);
  const called = FUNCTIONS.find(({ name }) => name === word);
  if (called) return functionMarkdown(called);
  const operator = OPERATORS.find(({ name }) => name === word);
  if (operator) return operatorMarkdown(operator);
  const header = KNOWN_HEADERS.find(({ name }) => name === word);
  return header && headerMarkdown(header);
}
