import { html, type Html } from "./html";

/** How something went: it is told by its word, the colour only helps. */
export function badge(
  tone: "good" | "bad" | "wait" | "plain",
  word: string | number,
): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}
