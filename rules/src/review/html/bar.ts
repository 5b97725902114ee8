import { markup, type Markup } from "./markup";

/** A bar that is so wide as a value is of the largest one. */
export function bar(
  value: number,
  largest: number,
  kind: "before" | "after",
): Markup {
  const percent = largest > 0 ? (100 * value) / largest : 0;
  return markup`<svg class="bar" aria-hidden="true"><rect class="${kind}" width="${percent.toFixed(1)}%" height="100%"/></svg>`;
}
