import { visibleText } from "../describe/visible-text";

/** Markup that is safe as it is. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What a template of HTML takes: all but `Markup` is shown as it reads; `undefined` is nothing. */
export type MarkupPart =
  Markup | string | number | undefined | readonly MarkupPart[];

/**
 * A template of HTML. Values are escaped, in elements as in attributes, so that
 * no text can become markup; attributes need double quotes around their values.
 *
 * @example
 * markup`<p title="${text}">${text}${[markup`<br />`, 1]}</p>`
 */
export function markup(
  fixed: TemplateStringsArray,
  ...parts: readonly MarkupPart[]
): Markup {
  const texts = fixed.map((text, i) =>
    i === 0 ? text : textOf(parts[i - 1]) + text,
  );
  return new Markup(texts.join(""));
}

/** A text as code, on one line and with what hides in it. */
export function codeHtml(text: string): Markup {
  return markup`<code>${visibleText(text)}</code>`;
}

/** A text as code, for what writes Markdown and HTML alike. */
export const quoteHtml = (text: string): string => codeHtml(text).text;

/** Texts as code, with commas between. */
export function codesHtml(texts: readonly string[]): Markup {
  return markup`${texts.map((text, i) => [i === 0 ? "" : ", ", codeHtml(text)])}`;
}

function textOf(part: MarkupPart): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return String(part).replace(
    /[&<>"']/g,
    (character) => ESCAPES[character] ?? "",
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
