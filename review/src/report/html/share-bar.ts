import { type Markup, markup } from "./markup";

/** A bar whose width is the value's share of the largest value. */
export function shareBar(
  value: number,
  largest: number,
  kind: "before" | "after",
): Markup {
  const percent = largest > 0 ? (100 * value) / largest : 0;
  return markup`<svg class="bar" aria-hidden="true"><rect class="${kind}" width="${percent.toFixed(1)}%" height="100%"/></svg>`;
}
