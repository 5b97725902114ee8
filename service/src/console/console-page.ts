import { type Region, REGIONS } from "@devid/sdk";
import { DELIVERIES_SECTION } from "./deliveries-section";
import { page } from "./html/elements";
import { markup, type Markup } from "@devid/review/internals";
import { REQUESTS_SECTION } from "./requests-section";
import { RULES_SECTION } from "./rules-section";
import { HOUR_SECTION } from "./hour-section";
import type { RenderedSections } from "./rendered-sections";
import type { Section } from "./section";
import { VISITS_SECTION } from "./visits-section";

/** The sections of the console, from top to bottom. */
export const SECTIONS: readonly Section[] = [
  HOUR_SECTION,
  VISITS_SECTION,
  RULES_SECTION,
  DELIVERIES_SECTION,
  REQUESTS_SECTION,
];

/**
 * The console: what happens in one workspace, or in all of them where `region`
 * is undefined. `sections` are the sections of that region.
 */
export function consolePage(
  { version, sections }: RenderedSections,
  region: Region | undefined,
): Markup {
  const link = (to: Region | undefined) =>
    markup`<a
      href="/${to && `?region=${to}`}"
      ${to === region && markup`aria-current="page"`}
      >${to ?? "all"}</a
    >`;
  return page(
    "devid console",
    markup`<header>
        <h1>devid <small>local service</small></h1>
        <nav aria-label="Workspace">${[undefined, ...REGIONS].map(link)}</nav>
        <nav aria-label="Sections">
          ${SECTIONS.map(({ id, title }) => markup`<a href="#${id}">${title}</a>`)}
        </nav>
        <p class="live">
          <span id="live" role="status"
            >Not live: this page needs JavaScript to update itself</span
          >
          <button type="button" id="pause" hidden>Pause</button>
        </p>
      </header>
      <main id="main" data-version="${version}">${sections.map(({ html }) => html)}</main>`,
    "console.js",
  );
}
