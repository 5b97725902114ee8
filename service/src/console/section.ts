import { type Region, REGIONS } from "@devid/sdk";
import type { Context } from "../context";
import { html, type Html } from "./html";

/** A part of the console that is brought up to date by itself. */
export interface Section {
  /** ID of its element, and the name of its place in the menu. */
  readonly id: string;
  readonly title: string;
  /** What stands below the title, for these regions. */
  readonly render: (context: Context, regions: readonly Region[]) => Html;
}

/** The element of a section, with its title and what it shows now. Without a region it shows all of them. */
export function sectionOf(
  { id, title, render }: Section,
  context: Context,
  region: Region | undefined,
): Html {
  const regions = region === undefined ? REGIONS : [region];
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${render(context, regions)}
  </section> `;
}
