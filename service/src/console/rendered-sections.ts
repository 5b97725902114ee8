import { randomUUID } from "node:crypto";
import type { Region } from "@devid/sdk";
import type { Markup } from "@devid/review/internals";
import { sectionOf, type Section, type Shown } from "./section";

/** The sections of the console as they were at a time. */
export interface RenderedSections {
  /** A text that changes whenever the shown data changes. */
  readonly version: string;
  readonly sections: readonly { readonly id: string; readonly html: Markup }[];
}

/**
 * Returns the function that renders the sections of a region, or of all regions. They are
 * rendered once for everybody who looks at the same region, and again only after
 * something was stored, asked or answered, or a minute has passed.
 */
export function sectionRenderer(
  shown: Shown,
  sections: readonly Section[],
): (region: Region | undefined) => RenderedSections {
  const { store, requestLog, clock } = shown;
  // Another run of the service may count the same changes.
  const run = randomUUID();
  const rendered = new Map<Region | undefined, RenderedSections>();
  return (region) => {
    const minute = Math.floor(clock.nowMs() / 60_000);
    const version = [run, store.changes(), requestLog.changes(), minute].join();
    const last = rendered.get(region);
    if (last?.version === version) return last;
    const now = {
      version,
      sections: sections.map((section) => ({
        id: section.id,
        html: sectionOf(section, shown, region),
      })),
    };
    rendered.set(region, now);
    return now;
  };
}
