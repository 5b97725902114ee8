import type { Impact, Period } from "../../replay";
import { grouped } from "../../replay/report/event-share";
import { markup, type Markup } from "./markup";

/** Of the drawing; it is stretched to the width of the page. */
const HEIGHT = 100;

/** Events that the rules deny over time, those compared with and the proposed ones. */
export function timeChart({ periods, range }: Impact): Markup | undefined {
  if (periods.length === 0) return undefined;
  const largest = Math.max(
    ...periods.map(({ deniedBefore, deniedAfter }) =>
      Math.max(deniedBefore, deniedAfter),
    ),
  );
  const path = (of: "deniedBefore" | "deniedAfter") =>
    steps(periods.map((period) => (largest ? period[of] / largest : 0)));
  return markup`<figure>
<figcaption class="ends"><span>Denied at a time: <span class="key before">before (dashed)</span>, <span class="key after">after</span></span><span class="quiet">up to ${grouped(largest)}</span></figcaption>
<svg class="chart" role="img" aria-label="Denied events over time, before and after" viewBox="0 -2 ${periods.length} ${HEIGHT + 4}" preserveAspectRatio="none">
<path class="before" d="${path("deniedBefore")}"/>
<path class="after" d="${path("deniedAfter")}"/>
${periods.map(hint)}</svg>
<div class="ends quiet"><span>${minute(range.start)}</span><span>${minute(range.end)} UTC</span></div>
</figure>`;
}

/** A line of steps, one for each value, which are parts of one. */
function steps(values: readonly number[]): string {
  return values
    .map((value, i) => {
      const y = (HEIGHT * (1 - value)).toFixed(1);
      return `${i === 0 ? "M0 " : "V"}${y}H${i + 1}`;
    })
    .join("");
}

/** Shown by a browser over the part of the chart that it is about. */
function hint({ start, events, deniedBefore, deniedAfter }: Period, i: number) {
  return markup`<rect x="${i}" y="-2" width="1" height="${HEIGHT + 4}"><title>from ${minute(start)} UTC: of ${grouped(events)} events ${grouped(deniedBefore)} denied before, ${grouped(deniedAfter)} after</title></rect>
`;
}

/** A time as it reads best: `2026-11-20 14:00`. */
const minute = (time: string) => time.slice(0, 16).replace("T", " ");
