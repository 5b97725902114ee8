import { type Region, REGIONS } from "@devid/sdk";
import type { Context } from "../context";
import { markup, type Markup } from "@devid/review/internals";

/** The parts of the service that the console shows. */
export type Shown = Pick<Context, "store" | "requestLog" | "clock">;

/** A part of the console page that is updated on its own. */
export interface Section {
  /** ID of the section's element, and the target of its link in the menu. */
  readonly id: string;
  readonly title: string;
  /**
   * Renders what stands below the title, for these regions. The result is some
   * ten kilobytes at most, whatever is stored: it is sent after every change.
   */
  readonly render: (shown: Shown, regions: readonly Region[]) => Markup;
}

/**
 * The element of a section: its title and its present content, for all regions
 * unless one is given.
 */
export function sectionOf(
  { id, title, render }: Section,
  shown: Shown,
  region: Region | undefined,
): Markup {
  const regions = region === undefined ? REGIONS : [region];
  return markup`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${render(shown, regions)}
  </section> `;
}
