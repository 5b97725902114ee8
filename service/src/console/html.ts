/** HTML that may be sent as it is. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** What `html` takes: texts and numbers are escaped, nothing is left out as nothing. */
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
 * HTML in which every value is escaped, for an element's content and for an
 * attribute in double quotes. There is no way around it: what visitors and
 * webhooks send is shown by nothing else.
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
