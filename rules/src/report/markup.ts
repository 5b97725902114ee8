import { visibleText } from "./describe/visible-text";

/** A text that is inserted into HTML without escaping. */
export class Markup {
  constructor(readonly text: string) {}
}

/**
 * A value in a template of HTML. Everything except `Markup` is escaped; null, undefined
 * and false give no text.
 */
export type MarkupPart =
  | Markup
  | string
  | number
  | null
  | undefined
  | false
  | readonly MarkupPart[];

/**
 * Builds HTML from a template. Values are escaped, in elements and in
 * attributes, so no text can become markup. Attributes need double quotes
 * around their values.
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

/** Shows a text as code, on one line and with its hidden characters visible. */
export function codeHtml(text: string): Markup {
  return markup`<code>${visibleText(text)}</code>`;
}

function textOf(part: MarkupPart): string {
  if (part === null || part === undefined || part === false) return "";
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
