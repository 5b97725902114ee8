/** HTML that is safe to send. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/**
 * What `html` takes as a value: texts and numbers are escaped; null, undefined
 * and false become an empty text.
 */
export type Content =
  Html | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Builds HTML and escapes every value for its place, which is the content of an
 * element or an attribute in double quotes. The pages use nothing else, so that
 * what visitors and webhooks have sent is always escaped.
 *
 * @example
 * html`<td title="${event.url}">${event.url}</td>`
 */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly Content[]
): Html {
  const text = parts.map((part, i) => part + textOf(values[i])).join("");
  return new Html(text);
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === null || content === undefined || content === false) return "";
  if (typeof content === "object") return content.map(textOf).join("");
  return String(content).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
