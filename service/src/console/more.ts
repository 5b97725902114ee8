import { html, type Content, type Html } from "./html";

/** Something that opens by click or key. `id` is the same in every version of the page, so that it stays open. */
export function more(id: string, title: Content, content: Content): Html {
  return html`<details id="${id}">
    <summary id="${id}-summary">${title}</summary>
    ${content}
  </details>`;
}
