import type { Region } from "@devid/sdk";
import type { Markup } from "@devid/review/internals";
import { type Section, sectionOf, type Shown } from "./section";

/** A section as it was rendered last. */
export interface RenderedSection {
  readonly id: string;
  readonly html: Markup;
  /** Grows when the section looks different. */
  readonly version: number;
  readonly message: string;
}

interface Rendered {
  readonly state: string;
  readonly sections: readonly RenderedSection[];
}

/**
 * The sections of the console, rendered once for everybody who looks at the
 * same region, and again only after something was stored, asked or answered.
 */
export class RenderedSections {
  private readonly rendered = new Map<Region | undefined, Rendered>();

  constructor(
    private readonly shown: Shown,
    private readonly sections: readonly Section[],
  ) {}

  /** The sections of a region as they are now; of all regions if it is undefined. */
  now(region: Region | undefined): readonly RenderedSection[] {
    const state = this.state();
    const last = this.rendered.get(region);
    if (last?.state === state) return last.sections;
    const sections = this.sections.map((section, i) =>
      renderedAgain(
        last?.sections[i],
        section.id,
        sectionOf(section, this.shown, region),
      ),
    );
    this.rendered.set(region, { state, sections });
    return sections;
  }

  /** The sections as they were rendered last; none before the first time. */
  last(region: Region | undefined): readonly RenderedSection[] {
    return this.rendered.get(region)?.sections ?? [];
  }

  /** A text that changes whenever the shown data changes. */
  private state(): string {
    const { store, requestLog } = this.shown;
    return `${store.changes()} ${requestLog.changes()}`;
  }
}

function renderedAgain(
  last: RenderedSection | undefined,
  id: string,
  html: Markup,
): RenderedSection {
  if (last?.html.text === html.text) return last;
  const data = JSON.stringify({ id, html: html.text });
  return {
    id,
    html,
    version: (last?.version ?? 0) + 1,
    message: `event: section\ndata: ${data}\n\n`,
  };
}
